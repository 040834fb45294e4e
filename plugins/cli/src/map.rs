//! `overdub map`: a function run for each of many lists of arguments, on several threads.

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};

use overdub_context::Failure;
use overdub_context::engine::{Engine, Sink};
use overdub_context::limits::Limits;
use overdub_context::value::Value;
use overdub_lower::{Function, Loaded};
use overdub_spmd::{Device, LoadedMap, MapError, ValueAndGradient, current_element};
use serde_json::{Value as Json, json};

use crate::args;
use crate::call::{CallOutput, IsOptimised, arguments, engine};
use crate::derive::chosen;
use crate::report::{Diagnostic, Failed};
use crate::rows::{self, Rows};
use crate::waiting::Bar;
use crate::wrt::Selection;
use crate::{interrupt, load, results};

/// The result of one element: what is printed for it, or why it failed.
pub(crate) type Element = Result<Json, Failed>;

/// Runs a function for each element, and writes the results.
pub(crate) fn print(args: &args::Map, out: &mut dyn Write) -> Result<(), Failed> {
    let loaded = load::open(&args.which.source)?;
    let Rows { function, rows } = rows::read(args, &loaded)?;
    let mut values = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        let read = arguments(&loaded, &function, &row.args);
        values.push(read.map_err(|failed| failed.within(&rows::place(index, row.line)))?);
    }
    drop(rows);
    let wrt = Selection::of(&function, args.wrt.as_deref())?;
    let elements = run(args, &loaded, &function, &wrt, values)?;
    results::write(args, &elements, out)?;
    let mut failed =
        elements.iter().enumerate().filter_map(|(index, element)| Some((index, element.as_ref().err()?)));
    let Some((first, failure)) = failed.next() else { return Ok(()) };
    let (count, all) = (1 + failed.count(), elements.len());
    let failure =
        failure.clone().within(&format!("{count} of {all} elements failed, the first is element {first}"));
    // With `--json` the results are the last line already.
    Err(if args.json { failure.reported() } else { failure })
}

/// Runs all elements. What they print is printed in their order.
fn run(
    args: &args::Map,
    loaded: &Loaded,
    function: &Function,
    wrt: &Selection,
    rows: Vec<Vec<Value<'static>>>,
) -> Result<Vec<Element>, Failed> {
    let len = rows.len();
    let threads = args.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZero::get);
    let printed: Printed = Arc::default();
    let is_optimised = if args.gradient { IsOptimised::Yes } else { IsOptimised::No };
    let engine = engine(loaded, args.backend, is_optimised, sink(printed.clone()));
    let engine = engine.with_limits(Limits { steps: args.limits.step_limit, ..Limits::default() });
    let failed = |error: MapError<Failure>| map_failed(loaded, &engine, error);
    let bar = Arc::new(Mutex::new(Bar::new("mapping")));
    let shown = bar.clone();
    let map = LoadedMap::new(&engine, function).map_err(failed)?.threads(threads).progress(move |progress| {
        shown.lock().unwrap_or_else(PoisonError::into_inner).show(progress.done, progress.len);
    });
    let map = match wrt.numbers() {
        Some(numbers) => map.with_respect_to(numbers),
        None => map,
    };
    let map = match args.device {
        Some(kind) => map.on(device(kind)?),
        None => map,
    };
    let map = match args.lanes {
        Some(lanes) => map.lanes(lanes.get()),
        None => map,
    };
    let over = map.over_rows(rows).map_err(failed)?.each();
    let element_failed = |failure: Failure| load::failure(loaded, &engine, &failure);
    let value = |value: Value<'static>| Ok(CallOutput::of(function, value)?.json());
    let with_gradient = |(value, gradient): ValueAndGradient| {
        let value = CallOutput::of(function, value)?.value;
        Ok(json!({ "value": value, "gradient": chosen(wrt, &gradient) }))
    };
    let elements: Vec<Element> = match args.gradient {
        true => {
            let all = over.values_and_gradients().map_err(failed)?.into_iter();
            all.map(|found| found.map_err(element_failed).and_then(with_gradient)).collect()
        }
        false => {
            let all = over.values().map_err(failed)?.into_iter();
            all.map(|found| found.map_err(element_failed).and_then(value)).collect()
        }
    };
    bar.lock().unwrap_or_else(PoisonError::into_inner).finish(len);
    if args.lanes.is_some() {
        let checked = if args.gradient { over.check_lanes_of_gradients() } else { over.check_lanes() };
        if let Err(why) = checked {
            anstream::eprintln!("note: one element ran after the other: {why}");
        }
    }
    let printed = std::mem::take(&mut *printed.lock().unwrap_or_else(PoisonError::into_inner));
    printed.values().for_each(|text| interrupt::print(text));
    // What is printed next begins on a new line.
    if printed.values().last().is_some_and(|text| !text.ends_with('\n')) {
        interrupt::print("\n");
    }
    Ok(elements)
}

/// The device of a kind.
#[cfg(feature = "device")]
fn device(kind: args::DeviceKind) -> Result<Arc<dyn Device>, Failed> {
    let found: Result<Arc<dyn Device>, _> = match kind {
        args::DeviceKind::Cuda => overdub_device::Cuda::new().map(|card| Arc::new(card) as _),
        args::DeviceKind::OpenCl => overdub_device::OpenCl::new().map(|device| Arc::new(device) as _),
        args::DeviceKind::Emulator => overdub_device::Emulator::new().map(|emulator| Arc::new(emulator) as _),
        args::DeviceKind::OpenclEmulator => {
            overdub_device::Emulator::of_opencl().map(|emulator| Arc::new(emulator) as _)
        }
    };
    found.map_err(|error| Failed::usage(Diagnostic::new(error.to_string())))
}

#[cfg(not(feature = "device"))]
fn device(_: args::DeviceKind) -> Result<Arc<dyn Device>, Failed> {
    Err(Failed::usage(Diagnostic::new("this `overdub` was built without the feature `device`")))
}

/// What elements printed, by their numbers.
type Printed = Arc<Mutex<BTreeMap<usize, String>>>;

fn sink(printed: Printed) -> Sink {
    Arc::new(Mutex::new(move |text: &str| match current_element() {
        Some(element) => {
            let mut printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
            printed.entry(element).or_default().push_str(text);
        }
        None => interrupt::print(text),
    }))
}

/// The error of a whole mapped call.
#[cold]
fn map_failed(loaded: &Loaded, engine: &Engine, error: MapError<Failure>) -> Failed {
    match error {
        MapError::Function(failure) => load::failure(loaded, engine, &failure),
        MapError::Element { index, error } => {
            load::failure(loaded, engine, &error).within(&format!("element {index}"))
        }
        other => Failed::usage(Diagnostic::new(other.to_string())),
    }
}
