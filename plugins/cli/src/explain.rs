//! `--explain`: which engine computed a derivative, why, and what in the source prevented a faster one.

use overdub_ad::Strategy;
use serde_json::Value as Json;

use crate::call::RequestedCall;

/// The lines of an answer that explain a strategy.
pub(crate) fn entries(call: &RequestedCall, strategy: &Strategy) -> Vec<(String, Json)> {
    let at = strategy.obstacle();
    let mut entries =
        vec![("engine", strategy.engine().to_owned()), ("because", strategy.reason().to_owned())];
    if at.is_known() {
        entries.push(("at", at.to_string()));
        entries.extend(call.source_line(at).map(|line| ("source", line)));
    }
    entries.into_iter().map(|(name, text)| (name.to_owned(), text.into())).collect()
}
