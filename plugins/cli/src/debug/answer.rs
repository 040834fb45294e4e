//! Answers of the debugger's commands, as JSON.

use overdub_context::value::Value;
use overdub_debugger::{Answer, FrameInfo, Reason, Stop, Sweep, Variable};
use overdub_lower::Function;
use serde_json::{Map, Value as Json, json};

use crate::call;
use crate::json as values;

/// An answer as one JSON object.
pub(super) fn as_json(answer: Answer, function: &Function) -> Json {
    match answer {
        Answer::Stopped(stop) => stopped(&stop, function),
        Answer::Value(value) => json!({ "value": values::write(&value) }),
        Answer::Variables(list) => {
            let all = |what: fn(&Variable) -> Option<Json>| -> Map<String, Json> {
                list.iter().filter_map(|of| Some((of.name.to_string(), what(of)?))).collect()
            };
            let mut object = json!({ "locals": all(|of| Some(values::write(&of.value))) });
            let derivatives = [
                ("tangents", all(|of| of.tangent.as_ref().map(values::write_floats))),
                ("cotangents", all(|of| of.cotangent.as_ref().map(values::write_floats))),
            ];
            for (name, derivatives) in derivatives {
                if !derivatives.is_empty() {
                    object[name] = Json::Object(derivatives);
                }
            }
            object
        }
        Answer::Frames(frames) => json!({ "frames": frames.iter().map(frame).collect::<Vec<_>>() }),
        Answer::Frame(number, of) => json!({ "frame": frame(&of), "number": number }),
        Answer::Lines(lines, at) => {
            let lines: Vec<Json> =
                lines.iter().map(|(line, text)| json!({ "line": line, "text": text })).collect();
            json!({ "lines": lines, "at": at })
        }
        Answer::Breakpoint(id, text) => json!({ "breakpoint": id, "text": text }),
        Answer::Breakpoints(list) => {
            let list: Vec<Json> =
                list.into_iter().map(|(id, text)| json!({ "breakpoint": id, "text": text })).collect();
            json!({ "breakpoints": list })
        }
        Answer::History(info) => json!({ "history": {
            "reached": info.reached,
            "snapshots": info.snapshots,
            "given_up": info.dropped,
            "spacing": info.spacing,
            "bytes": info.bytes,
            "limit": info.limit,
        } }),
        Answer::Summary(of) => json!({ "summary": {
            "type": of.elem.to_string(),
            "shape": of.shape,
            "min": (of.min <= of.max).then_some(of.min),
            "max": (of.min <= of.max).then_some(of.max),
            "mean": (of.min <= of.max).then_some(of.mean),
            "nan": of.nans,
            "infinite": of.infinities,
        } }),
        Answer::Histogram(of) => json!({ "histogram": {
            "min": of.min,
            "max": of.max,
            "counts": of.counts,
        } }),
        Answer::Help(text) => json!({ "help": text }),
        Answer::Done | Answer::Quit => json!({ "done": true }),
    }
}

fn frame(frame: &FrameInfo) -> Json {
    json!({ "function": frame.function.as_str(), "file": frame.span.file.as_str(), "line": frame.span.line })
}

fn stopped(stop: &Stop, function: &Function) -> Json {
    match &stop.reason {
        // In the form of `overdub run`.
        Reason::Exited(value) => {
            let exited = call::CallOutput::of(function, value.clone());
            let exited = exited.map_or_else(
                |failed| json!({ "error": failed.json()["error"]["message"] }),
                call::CallOutput::json,
            );
            return json!({ "exited": exited });
        }
        Reason::Differentiated { value, derivative } => {
            let exited = differentiated(value, derivative, stop.sweep == Some(Sweep::Reverse));
            return json!({ "exited": exited });
        }
        Reason::Failed(failure) => return json!({ "exited": { "error": failure.report().message } }),
        _ => {}
    }
    let mut object = json!({
        "reason": stop.reason.word(),
        "function": stop.function.map(|name| name.to_string()),
        "file": stop.span.file.as_str(),
        "line": stop.span.line,
        "moment": stop.moment,
    });
    if let Some(sweep) = stop.sweep {
        object["sweep"] = json!(sweep.to_string());
    }
    let more = |value: &Value<'static>| values::write(value);
    match &stop.reason {
        Reason::Breakpoint(id) => object["breakpoint"] = json!(id),
        Reason::Changed { id, old, new } => {
            object["breakpoint"] = json!(id);
            (object["old"], object["new"]) = (more(old), more(new));
        }
        Reason::NotFinite { id, operation, operands, result } => {
            object["breakpoint"] = json!(id);
            object["operation"] = json!(operation);
            object["operands"] = operands.iter().map(more).collect();
            object["result"] = more(result);
        }
        Reason::Failure(failure) => object["message"] = json!(failure.report().message),
        Reason::Condition { id, message } => {
            object["breakpoint"] = json!(id);
            object["message"] = json!(message);
        }
        _ => {}
    }
    json!({ "stopped": object })
}

/// A value and its gradient, or its tangent.
pub(crate) fn differentiated(
    value: &Value<'static>,
    derivative: &[Value<'static>],
    is_gradient: bool,
) -> Json {
    let mut object = json!({ "value": values::write(value) });
    match is_gradient {
        true => object["gradient"] = derivative.iter().map(values::write_floats).collect(),
        false => object["tangent"] = derivative.first().map_or(Json::Null, values::write_floats),
    }
    object
}
