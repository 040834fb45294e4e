//! The context that records where floats come from: a domain of numbered floats, and a host method for each
//! operation that computes with them.
//!
//! - PROVENANCE1 operations that only move values move the numbers with them. Every other operation on floats
//!   is executed by the host on plain values, and each float of its result becomes an entry of the trace. An
//!   elementwise operation on arrays of one shape computes each element from those at the same position; any
//!   other operation on arrays computes its result from all elements.
//! - PROVENANCE3 operations of library code are attributed to the call of it; hooks keep these calls on a
//!   stack.
//! - PROVENANCE2 only the operands of a float are recorded, not the conditions of the branches taken.

use std::sync::{Arc, LazyLock};

use overdub_ad::flatten::floats;
use overdub_context::engine::{
    CallSite, Called, Context, Domain, Hooks, HostCall, Key, Lifted, Method, Pre, WithMetadata,
};
use overdub_context::ir::{Field, FloatTy, Nominal, NominalBody, Ty, TyKind, Visit};
use overdub_context::ops::{self, Effects, OpDef};
use overdub_context::value::{Composite, Value, convert_to};
use overdub_context::{Failure, FailureKind, Span, Symbol};

use crate::trace::{Carried, EntryId, Operand, Trace};

/// The context; the floats of the arguments of a run are numbered from 1.
#[derive(Clone, Debug)]
pub(crate) struct Recording {
    inputs: u32,
    /// The bytes that the trace may take.
    limit: usize,
    /// The prefix of the names of files of library code.
    library: Option<Symbol>,
}

impl Recording {
    /// The context for a run with these arguments.
    pub(crate) fn new(args: &[Value<'_>], limit: usize, library: Option<Symbol>) -> Recording {
        let count: usize = args.iter().map(|arg| floats(arg).len()).sum();
        Recording { inputs: u32::try_from(count).unwrap_or(u32::MAX), limit, library }
    }

    /// The location of an operation or call outside of library code, and the function that contains it
    /// (PROVENANCE3).
    fn place(&self, call: &CallSite) -> Option<(Symbol, Span)> {
        let is_library =
            |span: Span| self.library.is_some_and(|prefix| span.file.starts_with(prefix.as_str()));
        call.span.open_calls(call.caller).find(|(_, span)| span.is_known() && !is_library(*span))
    }
}

impl Context for Recording {
    type Metadata = Trace;
    type Outcome = WithMetadata;

    fn name(&self) -> String {
        "Provenance".to_owned()
    }

    fn key(&self) -> Key {
        Key::of::<Recording>().with(&self.library)
    }

    fn runs_as(&self, other: &Recording) -> bool {
        self.inputs == other.inputs && self.limit == other.limit
    }

    fn metadata(&self) -> Trace {
        Trace::new(self.inputs, self.limit)
    }

    fn method(&self, call: &CallSite) -> Method {
        let is_recorded = match call.callee {
            Called::Op(op) => {
                let is_moving = op.is_structural() || calls_back(op);
                !is_moving && call.args.iter().chain([&call.ret]).any(|ty| holds_floats(*ty))
            }
            Called::Func(_) | Called::Closure(_) | Called::Value => false,
        };
        if is_recorded { Method::Host } else { Method::Recurse }
    }

    fn hooks(&self, call: &CallSite) -> Hooks {
        match call.callee {
            Called::Func(_) | Called::Closure(_) | Called::Value
                if self.library.is_some() && self.place(call).is_some() =>
            {
                Hooks { pre: Pre::Yes, ..Hooks::RESULT }
            }
            _ => Hooks::NONE,
        }
    }

    fn prehook(&self, trace: &mut Trace, call: &CallSite, _: &[Value<'_>]) -> Result<(), Failure> {
        let (func, span) = self.place(call).unwrap_or((call.caller, call.span));
        trace.open(func, span);
        Ok(())
    }

    fn posthook(
        &self,
        trace: &mut Trace,
        _: &CallSite,
        _: &Value<'_>,
        _: &[Value<'_>],
    ) -> Result<(), Failure> {
        trace.close();
        Ok(())
    }

    fn call<'a>(&self, call: &mut HostCall<'_, '_, 'a, Trace>) -> Result<Value<'a>, Failure> {
        let Called::Op(op) = call.site().callee else {
            return Err(Failure::new(FailureKind::Type, "only operations are recorded"));
        };
        let written = (call.site().caller, call.site().span);
        let place = self.place(call.site()).or_else(|| call.metadata().innermost());
        let (func, span) = place.unwrap_or(written);
        let by = Carried { op, span, func };
        let (tys, ret) = (call.site().args.clone(), call.site().ret);
        let mut operands = Vec::new();
        let mut ends = Vec::new();
        let mut plain = Vec::new();
        for (arg, ty) in call.take_args().into_iter().zip(tys) {
            plain.push(stripped(arg.into_owned(), ty, &mut operands)?);
            ends.push(operands.len());
        }
        let is_elementwise = is_elementwise(op, &plain);
        let result = call.evaluate(op, ret, plain)?.into_owned();
        let ret = call.ret();
        let mut trace = call.metadata();
        if !is_elementwise {
            let group = trace.push_operands(&operands)?;
            return numbered(result, ret, &mut |x| trace.push(by, x, group.clone()));
        }
        let mut at = 0;
        numbered(result, ret, &mut |x| {
            let begins = [0].into_iter().chain(ends.iter().copied());
            let attachments = begins.zip(&ends).filter(|(begin, end)| begin < end);
            let attachments =
                attachments.map(|(begin, end)| operands[if end - begin == 1 { begin } else { begin + at }]);
            let group = trace.push_operands(&attachments.collect::<Vec<_>>())?;
            at += 1;
            trace.push(by, x, group)
        })
    }

    fn domain(&self) -> Option<Arc<dyn Domain>> {
        Some(Arc::new(Numbered))
    }
}

/// Whether an operation calls functions of the program, which are under the context themselves.
fn calls_back(op: &OpDef) -> bool {
    op.effects == Effects::CALLS
}

/// Whether an operation computes each element from the elements at the same position of arrays of one shape,
/// and from scalars.
fn is_elementwise(op: &'static OpDef, args: &[Value<'_>]) -> bool {
    let is_of_scalars = [&ops::ADD, &ops::SUB, &ops::MUL, &ops::DIV, &ops::REM, &ops::NEG, &ops::POWI]
        .contains(&op)
        || ops::FLOAT_FUNCTIONS.iter().any(|function| *function.op == *op);
    let mut shapes = args.iter().filter_map(Value::as_array).map(|array| array.shape());
    let first = shapes.next();
    is_of_scalars
        && first
            .is_some_and(|first| shapes.all(|shape| shape == first) && first.iter().product::<usize>() > 1)
}

/// The domain of numbered floats.
#[derive(Clone, Copy, Debug)]
struct Numbered;

impl Domain for Numbered {
    fn name(&self) -> String {
        "Provenance".to_owned()
    }

    fn key(&self) -> Key {
        Key::of::<Numbered>()
    }

    fn map(&self, ty: Ty) -> Option<Ty> {
        numbered_ty(ty)
    }

    fn lift(&self, of: Ty) -> Option<Lifted> {
        let numbered = numbered_ty(of)?;
        Some(Lifted::emit(move |build, operands| {
            let constant = [operands[0].clone(), 0_i64.into()];
            Ok(build.op_as(&ops::STRUCT, constant, numbered)?.into())
        }))
    }

    fn untag(&self, of: Ty, _: &CallSite) -> Option<Lifted> {
        numbered_ty(of)?;
        Some(Lifted::emit(|build, operands| {
            Ok(build.op(&ops::FIELD, [operands[0].clone(), 0_i64.into()])?.into())
        }))
    }

    fn lifted(&self, call: &CallSite) -> Option<Lifted> {
        let Called::Op(op) = call.callee else { return None };
        let computes = !op.is_structural() && calls_back(op);
        computes.then(|| Lifted::Refused {
            reason: "it calls functions that it is given, and what they compute would be lost".to_owned(),
            help: Some("write the loop out, or ask about one of these functions alone".to_owned()),
        })
    }
}

/// The type of numbered floats for a float type.
fn numbered_ty(of: Ty) -> Option<Ty> {
    static TYS: LazyLock<[Ty; 2]> = LazyLock::new(|| {
        [FloatTy::F64, FloatTy::F32].map(|float| {
            let universe = Nominal::universe(Symbol::new("overdub-blame"));
            let number = Ty::float(float);
            let nominal = Nominal::new(universe, Symbol::new(&format!("Numbered<{number}>")), []);
            let field = |name: &str, ty: Ty| Field { name: Symbol::new(name), ty };
            nominal.define(NominalBody::Struct(vec![field("number", number), field("id", Ty::i64())]));
            Ty::new(TyKind::Struct(nominal))
        })
    });
    match of.kind() {
        TyKind::Float(FloatTy::F64) => Some(TYS[0]),
        TyKind::Float(FloatTy::F32) => Some(TYS[1]),
        _ => None,
    }
}

/// The float and the number of a numbered float.
fn parts<'v>(value: &'v Value<'static>) -> Option<(&'v Value<'static>, EntryId)> {
    let composite = value.as_composite()?;
    let is_numbered = [Ty::f64(), Ty::f32()].into_iter().any(|float| numbered_ty(float) == composite.ty);
    match (&composite.parts[..], is_numbered) {
        ([number, id], true) => Some((number, id.as_index().and_then(|id| EntryId::try_from(id).ok())?)),
        _ => None,
    }
}

fn number(value: &Value<'_>) -> Option<f64> {
    match value {
        Value::F64(x) => Some(*x),
        Value::F32(x) => Some(f64::from(*x)),
        _ => None,
    }
}

/// A value of the domain as one of the plain type `ty`; appends its numbered floats to `operands`.
pub(crate) fn stripped(
    value: Value<'static>,
    ty: Ty,
    operands: &mut Vec<Operand>,
) -> Result<Value<'static>, Failure> {
    convert_to(value, ty, &mut |part, _| match parts(&part) {
        Some((x, id)) => {
            operands.push(Operand { id, value: number(x).unwrap_or(f64::NAN) });
            Ok(Ok(x.clone()))
        }
        None => Ok(Err(part)),
    })
}

/// A plain value as one of type `ty` of the domain, with its floats numbered by `number_of`.
pub(crate) fn numbered(
    value: Value<'static>,
    ty: Ty,
    number_of: &mut dyn FnMut(f64) -> Result<EntryId, Failure>,
) -> Result<Value<'static>, Failure> {
    convert_to(value, ty, &mut |part, ty| match number(&part) {
        Some(x) if matches!(ty.kind(), TyKind::Struct(_)) => {
            let parts = [part, Value::from(i64::from(number_of(x)?))].into_iter().collect();
            Ok(Ok(Value::Composite(Arc::new(Composite { ty: Some(ty), tag: 0, parts }))))
        }
        _ => Ok(Err(part)),
    })
}

/// Whether values of a type hold floats, other than in closures.
pub(crate) fn holds_floats(ty: Ty) -> bool {
    ty.search(|part| match part.kind() {
        TyKind::Float(_) => Visit::Found,
        TyKind::Closure(_) => Visit::Skip,
        _ => Visit::Parts,
    })
}
