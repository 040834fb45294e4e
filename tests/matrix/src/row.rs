//! The rows: contexts, alone and nested.

use overdub_ad::dual::Duals;
use overdub_ad::transform::forward::ForwardTransform;
use overdub_ad::transform::reverse::{ReverseOutput, ReverseTransform, few_floats};
use overdub_blame::{Blame, BlameError};
use overdub_context::engine::{Empty, Engine, Hooks, Layers, Lift, ctx};
use overdub_context::ir::{LoadError, Ty};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind};
use overdub_count::Count;
use overdub_interval::{Interval, Intervals};
use overdub_memoize::Memoize;
use overdub_nan::Nan;
use overdub_slice::Slice;
use overdub_spmd::{Alone, LoadedMap, MapError, OnAxis, bind};
use overdub_swap::Swap;
use overdub_trace::Trace;

use crate::contexts::Calls;
use crate::contexts::domains::Tagged;
use crate::contexts::hooks::Watch;
use crate::contexts::methods::{CallMethod, MethodKind};
use crate::contexts::passes::{self, Passes};
use crate::digest::Digest;
use crate::subject::Subject;
use crate::values::{composed, lifted, primal_value};

/// The effect of a row on the result of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// None.
    Same,
    /// None, but the context may refuse the function or stop the run, with every executor alike.
    SameOrStops,
    /// It changes the result: the reference is the interpreter's.
    Own,
}

/// The outcome of a run in a cell.
#[derive(Debug)]
pub struct Answer {
    /// The result, in the types of the plain function if the row does not change it.
    pub result: Result<Value<'static>, Failure>,
    /// What hooks and host methods saw.
    pub seen: String,
}

type RunFn = dyn Fn(&Subject, &Engine, Vec<Value<'static>>) -> Option<Answer> + Send + Sync;

/// A context, or several nested ones, the outermost first.
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its effect on the result.
    pub meaning: Meaning,
    run: Box<RunFn>,
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Row").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Row {
    /// Runs a subject; `None` if the row does not apply to functions of its type.
    pub fn run(&self, subject: &Subject, engine: &Engine, args: Vec<Value<'static>>) -> Option<Answer> {
        (self.run)(subject, engine, args)
    }
}

fn refused(error: LoadError) -> Failure {
    Failure::new(FailureKind::Load, error.message).at(error.span)
}

/// The rows under construction.
struct Rows(Vec<Row>);

impl Rows {
    fn add(
        &mut self,
        name: &str,
        meaning: Meaning,
        run: impl Fn(&Subject, &Engine, Vec<Value<'static>>) -> Option<Answer> + Send + Sync + 'static,
    ) {
        self.0.push(Row { name: name.to_owned(), meaning, run: Box::new(run) });
    }

    /// Adds a context that does not change types.
    fn layers<L>(&mut self, name: &str, meaning: Meaning, cx: L)
    where
        L: Layers<Metadata: Digest> + Send + Sync + 'static,
    {
        self.add(name, meaning, move |subject, engine, args| {
            let (result, metadata) = engine.watch(&cx, subject.func, args);
            Some(Answer { result, seen: metadata.digest() })
        });
    }

    /// Adds contexts with an axis, which has one rank.
    fn bound<L>(&mut self, name: &str, meaning: Meaning, cx: L)
    where
        L: Layers<Metadata: Digest> + Send + Sync + 'static,
    {
        self.add(name, meaning, move |subject, engine, args| {
            let (result, metadata) = bind("r", &Alone, || engine.watch(&cx, subject.func, args));
            Some(Answer { result, seen: metadata.digest() })
        });
    }

    /// Adds a context that maps floats: `leaf` creates one, `number` reads one, if the result is to be read
    /// as a plain one.
    fn mapped<L>(&mut self, name: &str, meaning: Meaning, cx: L, leaf: Leaf, number: Option<Number>)
    where
        L: Layers<Metadata: Digest> + Send + Sync + 'static,
    {
        self.add(name, meaning, move |subject, engine, args| {
            let overdubbed = match engine.overdubbed(&cx, subject.func) {
                Ok(overdubbed) => overdubbed,
                Err(error) => return Some(Answer { result: Err(refused(error)), seen: String::new() }),
            };
            // Handles of contexts precede the arguments.
            let tys: Vec<Ty> = overdubbed.param_tys().collect();
            let tys = &tys[tys.len() - args.len()..];
            let args = args.into_iter().zip(tys).map(|(arg, ty)| lifted(arg, *ty, &*leaf)).collect();
            let (result, metadata) = engine.watch(&cx, subject.func, args);
            let result = result.map(|value| match &number {
                Some(number) => primal_value(&value, subject.ret, &**number),
                None => value,
            });
            Some(Answer { result, seen: metadata.digest() })
        });
    }

    /// Adds a reverse mode: the cotangent of the result, a float, is one more argument.
    fn reversed<L>(&mut self, name: &str, cx: L)
    where
        L: Layers<Metadata: Digest> + Send + Sync + 'static,
    {
        self.add(name, Meaning::Own, move |subject, engine, mut args| {
            if subject.ret != Ty::f64() {
                return None;
            }
            args.push(Value::F64(1.0));
            let (result, metadata) = engine.watch(&cx, subject.func, args);
            Some(Answer { result, seen: metadata.digest() })
        });
    }

    /// Adds a row of reverse mode for all floats of the result at once.
    fn in_directions<L>(&mut self, name: &str, cx: L)
    where
        L: Layers<Metadata: Digest> + Send + Sync + 'static,
    {
        self.add(name, Meaning::Own, move |subject, engine, args| {
            few_floats(subject.ret).filter(|count| *count > 1)?;
            let (result, metadata) = engine.watch(&cx, subject.func, args);
            Some(Answer { result, seen: metadata.digest() })
        });
    }
}

type Leaf = Box<dyn Fn(f64, Ty) -> Value<'static> + Send + Sync>;
type Number = Box<dyn Fn(&Value<'static>) -> Option<f64> + Send + Sync>;

fn tagged(kind: Tagged) -> (Leaf, Option<Number>) {
    (Box::new(move |x, _| kind.value(x)), Some(Box::new(move |value| kind.number(value))))
}

/// A dual number whose tangent depends on the number, so that a mix-up is noticed.
fn dual() -> Leaf {
    fn seeded(x: f64, ty: Ty) -> Value<'static> {
        if ty == Ty::f32() {
            return Value::F32(x as f32);
        }
        match ty.as_nominal().and_then(|nominal| nominal.fields()) {
            Some([number, tangent]) => {
                let parts = [seeded(x, number.ty), seeded(0.5 + x.sin(), tangent.ty)];
                composed(Some(ty), 0, parts.into_iter())
            }
            _ => Value::F64(x),
        }
    }
    Box::new(seeded)
}

/// The interval of one number; for NaN, which is in no interval, that of all numbers.
fn interval() -> Leaf {
    let all = || Interval::new(f64::NEG_INFINITY, f64::INFINITY).expect("the bounds are in order");
    Box::new(move |x, _| Value::from(Interval::new(x, x).unwrap_or_else(|_| all())))
}

/// All rows; the first is the plain run.
pub fn rows() -> Vec<Row> {
    let mut rows = Rows(Vec::new());
    rows.layers("plain", Meaning::Same, Empty);
    shipped(&mut rows);
    foreign(&mut rows);
    domains(&mut rows);
    derivatives(&mut rows);
    elements(&mut rows);
    layers(&mut rows);
    rows.0
}

/// The plain run, and every `step`-th row from the one numbered `from` on: what a test has time for. With the
/// environment variable `MATRIX=whole`, all rows.
pub fn sampled_rows(from: usize, step: usize) -> Vec<Row> {
    let all_rows = std::env::var("MATRIX").is_ok_and(|how| how == "whole");
    let is_selected = |at: usize| all_rows || at == 0 || at % step == from % step;
    rows().into_iter().enumerate().filter(|(at, _)| is_selected(*at)).map(|(_, row)| row).collect()
}

/// Adds the contexts of `plugins/`.
fn shipped(rows: &mut Rows) {
    rows.layers("trace", Meaning::Same, Trace::new().depth(6).at_most(2000).chars(40));
    rows.layers("count", Meaning::Same, Count);
    rows.layers("nan", Meaning::SameOrStops, Nan::new());
    rows.add("slice", Meaning::Same, |subject, engine, args| {
        let (result, cut) = engine.watch(&Slice::new(), subject.func, args);
        // Executed after the run, the effects that were cut out print what the plain run prints.
        let printed = cut.later(engine).run();
        Some(Answer { result: printed.and(result), seen: String::new() })
    });
    rows.add("memoize", Meaning::Same, |subject, engine, args| {
        let cx = Memoize::function(subject.func.as_str());
        let (result, table) = engine.watch(&cx, subject.func, args);
        Some(Answer { result, seen: table.digest() })
    });
    rows.add("blame", Meaning::SameOrStops, |subject, engine, args| {
        let (result, seen) = match Blame::new(engine).value(subject.func, args) {
            Ok(origins) => (Ok(origins.value()), origins.trace().digest()),
            Err(BlameError::Program(failure)) => (Err(failure), String::new()),
            Err(BlameError::Refused(error)) => (Err(refused(error)), String::new()),
            Err(other) => (Err(Failure::new(FailureKind::Type, other.to_string())), String::new()),
        };
        Some(Answer { result, seen })
    });
    rows.layers("swap", Meaning::Own, Swap::new().put("cos", "sin").put("abs", "sqrt"));
    rows.mapped("interval", Meaning::Own, Lift::new(Intervals), interval(), None);
}

/// Adds contexts of an outsider.
fn foreign(rows: &mut Rows) {
    for (name, hooks) in
        [("pre", Hooks::PRE), ("post", Hooks::POST), ("result", Hooks::RESULT), ("both", Hooks::BOTH)]
    {
        rows.layers(name, Meaning::Same, Watch::new(Calls::All, hooks));
    }
    rows.layers("pre of structure", Meaning::Same, Watch::new(Calls::Structural, Hooks::PRE));
    rows.layers("both of functions", Meaning::Same, Watch::new(Calls::Functions, Hooks::BOTH));
    rows.layers("both of half", Meaning::Same, Watch::new(Calls::Half, Hooks::BOTH));
    rows.layers("filter", Meaning::Same, Watch::new(Calls::All, Hooks::BOTH).filtered());
    rows.layers("without hooks", Meaning::Same, {
        use overdub_context::engine::Context;
        Watch::new(Calls::All, Hooks::BOTH).disable_hooks()
    });
    for calls in [Calls::All, Calls::Operations, Calls::Functions] {
        for kind in
            [MethodKind::HostRecurse, MethodKind::HostFallback, MethodKind::HostSimilar, MethodKind::Fallback]
        {
            rows.layers(&format!("{kind:?} of {calls:?}"), Meaning::Same, CallMethod { calls, kind });
        }
    }
    for kind in [MethodKind::Inside, MethodKind::Outside, MethodKind::Operation, MethodKind::Function] {
        rows.layers(&format!("{kind:?}"), Meaning::Same, CallMethod { calls: Calls::All, kind });
    }
    rows.layers("replace", Meaning::Own, ctx().when(|call| call.ret == Ty::f64()).replace("mul", "add"));
    rows.layers("constant", Meaning::Own, ctx().constant("sqrt", 0.5).constant("sin", 0.25));
    for passes in [Passes::Keep, Passes::Copy, Passes::Optimise, Passes::Replace] {
        rows.layers(&format!("pass {passes:?}"), Meaning::Same, passes);
    }
    rows.add("pass Instrument", Meaning::Same, |subject, engine, args| {
        passes::ticks();
        let (result, ()) = engine.watch(&Passes::Instrument, subject.func, args);
        Some(Answer { result, seen: format!("{} ticks", passes::ticks()) })
    });
}

/// Adds domains, alone and with hooks on either side.
fn domains(rows: &mut Rows) {
    let watch = Watch::new(Calls::All, Hooks::BOTH);
    for kind in [Tagged::Struct, Tagged::Tuple, Tagged::Opaque] {
        let (leaf, number) = tagged(kind);
        rows.mapped(&format!("domain {kind:?}"), Meaning::SameOrStops, Lift::new(kind), leaf, number);
        let (leaf, number) = tagged(kind);
        let name = format!("both over domain {kind:?}");
        rows.mapped(&name, Meaning::SameOrStops, (watch, Lift::new(kind)), leaf, number);
        let (leaf, number) = tagged(kind);
        let name = format!("domain {kind:?} over both");
        rows.mapped(&name, Meaning::SameOrStops, (Lift::new(kind), watch), leaf, number);
    }
    let (leaf, number) = tagged(Tagged::Struct);
    let host = CallMethod { calls: Calls::Functions, kind: MethodKind::HostRecurse };
    rows.mapped("host over domain", Meaning::SameOrStops, (host, Lift::new(Tagged::Struct)), leaf, number);
}

/// Adds derivatives, above and below other contexts.
fn derivatives(rows: &mut Rows) {
    let watch = Watch::new(Calls::All, Hooks::BOTH);
    let optimise = Passes::Optimise;
    let forward = || Duals::ONE.context();
    rows.mapped("forward", Meaning::Own, forward(), dual(), None);
    rows.mapped("both over forward", Meaning::Own, (watch, forward()), dual(), None);
    rows.mapped("forward over both", Meaning::Own, (forward(), watch), dual(), None);
    rows.mapped("forward over forward", Meaning::Own, (forward(), forward()), dual(), None);
    rows.mapped("forward over optimise", Meaning::Own, (forward(), optimise), dual(), None);
    let host = CallMethod { calls: Calls::Operations, kind: MethodKind::HostRecurse };
    rows.mapped("forward over host", Meaning::Own, (forward(), host), dual(), None);
    rows.mapped("host over forward", Meaning::Own, (host, forward()), dual(), None);
    let vjp = || ReverseTransform::new(ReverseOutput::Vjp);
    rows.reversed("reverse", vjp());
    rows.reversed("both over reverse", (watch, vjp()));
    rows.reversed("reverse over both", (vjp(), watch));
    rows.reversed("host over reverse", (host, vjp()));
    rows.reversed("reverse over optimise", (vjp(), optimise));
    let gradients = || ReverseTransform::new(ReverseOutput::Gradients);
    rows.in_directions("reverse in directions", gradients());
    rows.in_directions("both over reverse in directions", (watch, gradients()));
    rows.in_directions("reverse in directions over both", (gradients(), watch));
    rows.in_directions("reverse in directions over optimise", (gradients(), optimise));
    rows.add("tangent", Meaning::Own, |subject, engine, args| {
        if subject.ret != Ty::f64() || args.is_empty() || !subject.params.iter().all(|ty| *ty == Ty::f64()) {
            return None;
        }
        let tangents: Vec<_> = args.iter().map(|_| Value::F64(0.75)).collect();
        let args = args.into_iter().chain(tangents).collect();
        let (result, _) = engine.watch(&ForwardTransform::new(), subject.func, args);
        Some(Answer { result, seen: String::new() })
    });
}

/// Adds an axis of one rank, alone and nested, and mapped calls of few elements.
fn elements(rows: &mut Rows) {
    let watch = Watch::new(Calls::All, Hooks::BOTH);
    let axis = || OnAxis::new("r");
    rows.bound("on an axis", Meaning::Same, axis());
    rows.bound("both over an axis", Meaning::Same, (watch, axis()));
    rows.bound("an axis over both", Meaning::Same, (axis(), watch));
    let cx = (ReverseTransform::new(ReverseOutput::Vjp), axis());
    rows.add("reverse over an axis", Meaning::Own, move |subject, engine, mut args| {
        args.push(Value::F64(1.0));
        let run = || bind("r", &Alone, || engine.watch(&cx, subject.func, args));
        (subject.ret == Ty::f64()).then(run).map(|(result, _)| Answer { result, seen: String::new() })
    });
    rows.add("mapped in a loop", Meaning::Same, |subject, engine, args| {
        let map = LoadedMap::by_name(engine, subject.func).ok()?.loops_from(1);
        // Cells are refused as inputs of a mapped call.
        let over = map.over_rows(vec![args]).ok()?;
        let result = match over.values() {
            Ok(mut values) => Ok(values.pop()?),
            Err(MapError::Element { error, .. } | MapError::Function(error)) => Err(error),
            Err(_) => return None,
        };
        Some(Answer { result, seen: String::new() })
    });
    rows.add("mapped in lanes", Meaning::Same, |subject, engine, args| {
        let map = LoadedMap::by_name(engine, subject.func).ok()?.lanes(64).loops_from(1);
        let over = map.over_rows(vec![args; 3]).ok()?;
        let result = match over.values() {
            Ok(mut values) => Ok(values.pop()?),
            Err(MapError::Element { error, .. }) => Err(error),
            // Most functions do something that lanes do not.
            Err(_) => return None,
        };
        Some(Answer { result, seen: String::new() })
    });
}

/// Adds combinations of two and three contexts.
fn layers(rows: &mut Rows) {
    let pre = Watch::new(Calls::All, Hooks::PRE);
    let result = Watch::new(Calls::All, Hooks::RESULT);
    let host = CallMethod { calls: Calls::All, kind: MethodKind::HostRecurse };
    let filtered = Watch::new(Calls::All, Hooks::BOTH).filtered();
    rows.layers("pre over host", Meaning::Same, (pre, host));
    rows.layers("host over pre", Meaning::Same, (host, pre));
    rows.layers("count over trace", Meaning::Same, (Count, Trace::new().depth(4).at_most(500).chars(40)));
    rows.layers("optimise over result", Meaning::Same, (Passes::Optimise, result));
    rows.layers("result over optimise", Meaning::Same, (result, Passes::Optimise));
    rows.layers("pre over pre over pre", Meaning::Same, (pre, (pre, pre)));
    rows.layers("filter over host over result", Meaning::Same, (filtered, (host, result)));
    let (leaf, number) = tagged(Tagged::Opaque);
    let cx = (pre, (Lift::new(Tagged::Opaque), filtered));
    rows.mapped("pre over domain over filter", Meaning::SameOrStops, cx, leaf, number);
}
