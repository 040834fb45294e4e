//! Traces as JSON.
//!
//! It is written without recursion: calls may be nested as deeply as the program's stack allows.

use serde_json::{Value as Json, json};

use crate::shown::ShownValue;
use crate::tree::{TracedCall, Tree};

impl Tree {
    /// The tree as JSON: a list of calls, each an object with `function`, `args`, `result` (`null` if it did
    /// not return), `file`, `line`, `column`, `nanoseconds`, and the `calls` that it made.
    pub fn to_json(&self) -> String {
        let mut text = String::from("[");
        let mut open = 0;
        for (at, call) in self.calls().iter().enumerate() {
            while open > call.depth {
                text.push_str("]}");
                open -= 1;
            }
            if at > 0 && !text.ends_with('[') {
                text.push(',');
            }
            let head = head(call).to_string();
            text.push_str(head.trim_end_matches('}'));
            text.push_str(",\"calls\":[");
            open += 1;
        }
        text.push_str(&"]}".repeat(open));
        text.push(']');
        text
    }
}

fn head(call: &TracedCall) -> Json {
    json!({
        "function": call.function.as_str(),
        "args": call.args.iter().map(shown).collect::<Vec<Json>>(),
        "result": call.result.as_ref().map(shown),
        "file": call.span.file.as_str(),
        "line": call.span.line,
        "column": call.span.column,
        "nanoseconds": u64::try_from(call.time.as_nanos()).unwrap_or(u64::MAX),
    })
}

fn shown(value: &ShownValue) -> Json {
    match value {
        ShownValue::Bool(b) => json!(b),
        ShownValue::Int(n) => match (i64::try_from(*n), u64::try_from(*n)) {
            (Ok(n), _) => json!(n),
            (_, Ok(n)) => json!(n),
            _ => json!(n.to_string()),
        },
        ShownValue::F32(x) if x.is_finite() => json!(x),
        ShownValue::F64(x) if x.is_finite() => json!(x),
        ShownValue::F32(_) | ShownValue::F64(_) | ShownValue::Text(_) => json!(value.to_string()),
    }
}
