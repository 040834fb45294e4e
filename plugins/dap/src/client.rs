//! The conventions that the client states in `initialize`, and the capabilities of the server.

use dapts::{
    Capabilities, ExceptionBreakpointsFilter, InitializeRequestArguments,
    InitializeRequestArgumentsPathFormat as PathFormat,
};

use crate::refusal::Refusal;

/// How the client counts lines and columns, and what it supports.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conventions {
    first_line: u32,
    first_column: u32,
    /// Whether it requests long arrays in pages.
    pub(crate) pages: bool,
    /// Whether it can be notified that what it shows is out of date.
    pub(crate) invalidates: bool,
}

impl Conventions {
    pub(crate) fn of(args: &InitializeRequestArguments) -> Result<Conventions, Refusal> {
        if args.path_format.as_ref().is_some_and(|format| *format != PathFormat::Path) {
            return Err(Refusal::Uris);
        }
        let first = |from_1: Option<bool>| if from_1.unwrap_or(true) { 1 } else { 0 };
        Ok(Conventions {
            first_line: first(args.lines_start_at1),
            first_column: first(args.columns_start_at1),
            pages: args.supports_variable_paging.unwrap_or(false),
            invalidates: args.supports_invalidated_event.unwrap_or(false),
        })
    }

    /// A line number of ours, as the client counts.
    pub(crate) fn line_out(&self, line: u32) -> u32 {
        line.saturating_sub(1).saturating_add(self.first_line)
    }

    /// A line number of the client, counted from 1.
    pub(crate) fn line_in(&self, line: u32) -> u32 {
        line.saturating_sub(self.first_line).saturating_add(1)
    }

    /// A column number of ours, as the client counts.
    pub(crate) fn column_out(&self, column: u32) -> u32 {
        column.saturating_sub(1).saturating_add(self.first_column)
    }

    /// The number of characters of the line that precede a column of the client.
    pub(crate) fn before_column(&self, column: u32) -> usize {
        column.saturating_sub(self.first_column) as usize
    }
}

/// What stops a run besides breakpoints, by the names that clients send back.
pub(crate) const FAILURE: &str = "failure";
/// See [`FAILURE`].
pub(crate) const NAN: &str = "nan";
/// See [`FAILURE`].
pub(crate) const INFINITY: &str = "infinity";

/// The capabilities of this server.
pub(crate) fn capabilities() -> Capabilities {
    let yes = Some(true);
    let filter =
        |filter: &str, label: &str, description: &str, is_on, has_condition| ExceptionBreakpointsFilter {
            filter: filter.to_owned(),
            label: label.to_owned(),
            description: Some(description.to_owned()),
            default: Some(is_on),
            supports_condition: Some(has_condition),
            condition_description: None,
        };
    Capabilities {
        supports_configuration_done_request: yes,
        supports_function_breakpoints: yes,
        supports_conditional_breakpoints: yes,
        supports_hit_conditional_breakpoints: yes,
        supports_log_points: yes,
        supports_data_breakpoints: yes,
        supports_exception_filter_options: yes,
        supports_exception_info_request: yes,
        supports_evaluate_for_hovers: yes,
        supports_clipboard_context: yes,
        supports_set_variable: yes,
        supports_step_back: yes,
        supports_restart_frame: yes,
        supports_goto_targets_request: yes,
        supports_completions_request: yes,
        completion_trigger_characters: Some(vec![".".to_owned(), ":".to_owned()]),
        supports_loaded_sources_request: yes,
        supports_delayed_stack_trace_loading: yes,
        supports_disassemble_request: yes,
        supports_terminate_request: yes,
        exception_breakpoint_filters: Some(vec![
            filter(FAILURE, "Failures", "panics, overflows, indices out of bounds, limits", true, false),
            filter(NAN, "NaN", "an operation that makes a NaN of numbers that are none", false, true),
            filter(
                INFINITY,
                "Infinity",
                "an operation that makes an infinity of finite numbers",
                false,
                true,
            ),
        ]),
        ..Capabilities::default()
    }
}
