//! Passes: functions from IR to IR, one per file.
