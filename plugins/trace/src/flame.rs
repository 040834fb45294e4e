//! Traces as flame graphs.

use inferno::flamegraph::{Options, from_lines};

use crate::tree::Tree;

/// Why there is no flame graph.
#[derive(Debug, thiserror::Error)]
#[error("cannot draw the flame graph: {0}")]
pub struct FlameError(String);

/// A flame graph, as an SVG, of stacks with weights in this unit: lines of names that are separated by `;`, the outermost
/// first, followed by a space and the weight.
///
/// ```
/// let stacks = ["solve;step 80", "solve;norm 16"].map(str::to_owned);
/// assert!(overdub_trace::flame_graph(&stacks, "bytes")?.contains("step"));
/// # Ok::<(), overdub_trace::FlameError>(())
/// ```
///
/// # Errors
/// If there is no weight at all.
pub fn flame_graph(stacks: &[String], unit: &str) -> Result<String, FlameError> {
    let mut options = Options::default();
    options.title = "overdub".to_owned();
    options.count_name = unit.to_owned();
    let mut svg = Vec::new();
    from_lines(&mut options, stacks.iter().map(String::as_str), &mut svg)
        .map_err(|error| FlameError(error.to_string()))?;
    String::from_utf8(svg).map_err(|error| FlameError(error.to_string()))
}

impl Tree {
    /// An SVG in which the width of each call is the time that it took, on top of its caller.
    ///
    /// # Errors
    /// If no time was recorded at all.
    pub fn flame_graph(&self) -> Result<String, FlameError> {
        flame_graph(&self.folded(), "ns")
    }

    /// A line for each call: the stack of calls that contains it, and its nanoseconds without those of the
    /// calls it made.
    fn folded(&self) -> Vec<String> {
        let mut self_times: Vec<u128> = self.calls().iter().map(|call| call.time.as_nanos()).collect();
        let mut parents: Vec<usize> = Vec::new();
        for (at, call) in self.calls().iter().enumerate() {
            parents.truncate(call.depth);
            if let Some(&parent) = parents.last() {
                self_times[parent] = self_times[parent].saturating_sub(call.time.as_nanos());
            }
            parents.push(at);
        }
        let mut stack: Vec<String> = Vec::new();
        let mut lines = Vec::with_capacity(self_times.len());
        for (call, self_time) in self.calls().iter().zip(self_times) {
            stack.truncate(call.depth);
            stack.push(call.function.replace(';', ","));
            lines.push(format!("{} {self_time}", stack.join(";")));
        }
        lines
    }
}
