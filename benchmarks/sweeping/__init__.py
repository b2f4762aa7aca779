"""What the sweep is made of: functions found, truth read, tools judged."""
