//! The operations of collectives. Each takes the name of its axis, and whether a context has typed it (AXIS3).
//!
//! - TRANSPOSE1 those on numbers are linear, and the transpose of each is another one of them: `psum` and `pvary`,
//!   `all_gather` and `own`, `broadcast` and `at_root`, `ppermute` and `ppermute_back`, `all_to_all` and `all_to_all_back`.

use overdub_ad::rules::{PluginDerivative, PluginRule};
use overdub_context::Failure;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::ops::{Arity, Effects, OpCx, OpDef, OperandTys, TypeFault};
use overdub_context::value::{Array, Value};

use super::exchange::{Exchange, failure, zero};
use super::wire::is_sent;

/// Depends on the rank.
const RANK: Effects = Effects { reads: true, ..Effects::FAILS };

macro_rules! collectives {
    ($($(#[doc = $doc:literal])+ $op:ident = $name:literal, $operands:literal, $ty:expr, $effects:expr, $derivative:expr, $eval:expr;)*) => {
        $(
            $(#[doc = $doc])+
            pub(super) static $op: OpDef = OpDef {
                name: $name,
                arity: Arity::Exactly($operands),
                ty: $ty,
                effects: $effects,
                eval: $eval,
                doc: concat!($($doc),+),
            };
            overdub_ad::provide_rule!(PluginRule { op: &$op, derivative: $derivative });
        )*
        /// All of them.
        pub(super) static ALL: &[&OpDef] = &[$(&$op),*];
    };
}

const fn linear(transpose: &'static OpDef) -> PluginDerivative {
    PluginDerivative::Linear { transpose }
}

collectives! {
    /// The number of this rank on an axis.
    INDEX = "axis.index", 2, |_| Ok(Ty::usize()), RANK, PluginDerivative::Zero, index;
    /// The number of ranks on an axis.
    SIZE = "axis.size", 2, |_| Ok(Ty::usize()), RANK, PluginDerivative::Zero, size;
    /// The sum over the ranks of an axis.
    PSUM = "axis.psum", 3, numbers, Effects::WRITES, linear(&PVARY), psum;
    /// A value that all ranks of an axis have, as one that varies.
    PVARY = "axis.pvary", 3, |tys| Ok(tys.args[0]), Effects::FAILS, linear(&PSUM), pvary;
    /// The first rank with the greatest number.
    ARGMAX = "axis.argmax", 3, ordered, Effects::WRITES, PluginDerivative::Zero, argmax;
    /// The first rank with the least number.
    ARGMIN = "axis.argmin", 3, ordered, Effects::WRITES, PluginDerivative::Zero, argmin;
    /// The values of all ranks in order.
    ALL_GATHER = "axis.all_gather", 3, gathered, Effects::WRITES, linear(&OWN), all_gather;
    /// The element of this rank.
    OWN = "axis.own", 3, element, RANK, linear(&ALL_GATHER), own;
    /// The value of one rank: the value, the number of the rank.
    BROADCAST = "axis.broadcast", 4, from_root, Effects::WRITES, linear(&AT_ROOT), broadcast;
    /// The value on one rank, zeros on the others: the value, the number of the rank.
    AT_ROOT = "axis.at_root", 4, from_root, RANK, linear(&BROADCAST), at_root;
    /// The value of the rank that sends to this one: the value, the moves from rank to rank.
    PPERMUTE = "axis.ppermute", 4, permuted, Effects::WRITES, linear(&PPERMUTE_BACK), |cx, args| permute(cx, args, false);
    /// As `axis.ppermute`, by the moves in the other direction.
    PPERMUTE_BACK = "axis.ppermute_back", 4, permuted, Effects::WRITES, linear(&PPERMUTE), |cx, args| permute(cx, args, true);
    /// From an element for each rank to one from each rank.
    ALL_TO_ALL = "axis.all_to_all", 3, exchanged, Effects::WRITES, linear(&ALL_TO_ALL_BACK), all_to_all;
    /// The same, as the transpose of itself.
    ALL_TO_ALL_BACK = "axis.all_to_all_back", 3, exchanged, Effects::WRITES, linear(&ALL_TO_ALL), all_to_all;
    /// Fails unless the axis is bound.
    CHECK_BOUND = "axis.check_bound", 2, |_| Ok(Ty::unit()), RANK, PluginDerivative::Zero, check_bound;
    /// Fails unless all ranks have the same value: the value, its name.
    CHECK_REPLICATED = "axis.check_replicated", 4, |_| Ok(Ty::unit()), Effects::WRITES, PluginDerivative::Zero, check_replicated;
}

/// Whether ranks have different results of an operation, even of equal operands.
pub(super) fn varies(op: &OpDef) -> bool {
    [&INDEX, &OWN, &AT_ROOT, &PPERMUTE, &PPERMUTE_BACK, &ALL_TO_ALL, &ALL_TO_ALL_BACK, &PVARY]
        .iter()
        .any(|known| **known == *op)
}

/// Whether an operation is only made by differentiation, as the transpose of a collective, or by casts.
pub(super) fn is_transpose(op: &OpDef) -> bool {
    [&PVARY, &OWN, &AT_ROOT, &PPERMUTE_BACK, &ALL_TO_ALL_BACK].iter().any(|known| **known == *op)
}

/// Whether an operation waits for other ranks.
pub(super) fn communicates(op: &'static OpDef) -> bool {
    op.effects.writes && ALL.contains(&op)
}

/// The operations that move data as they are.
const SENT: &str = "numbers, bools, chars and texts, in lists and tuples";

fn numbers(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    fn are_numbers(ty: Ty) -> bool {
        match ty.kind() {
            TyKind::Unit | TyKind::Int(_) | TyKind::Float(_) => true,
            TyKind::Tuple(parts) => parts.iter().all(|part| are_numbers(*part)),
            TyKind::Array(array) => are_numbers(array.elem),
            _ => false,
        }
    }
    if are_numbers(tys.args[0]) {
        Ok(tys.args[0])
    } else {
        Err(TypeFault::takes("numbers, in lists and tuples"))
    }
}

fn ordered(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    if tys.args[0].is_number() { Ok(Ty::usize()) } else { Err(TypeFault::takes("a number")) }
}

fn sent(ty: Ty) -> Result<Ty, TypeFault> {
    if is_sent(ty) { Ok(ty) } else { Err(TypeFault::takes(SENT)) }
}

fn gathered(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    Ok(Ty::array(sent(tys.args[0])?, 1))
}

fn element(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    tys.args[0].as_array().map(|array| array.elem).ok_or_else(|| TypeFault::takes("a list"))
}

fn exchanged(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    element(tys).and_then(sent).map(|_| tys.args[0])
}

fn from_root(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    match tys.args[1] == Ty::usize() {
        true => sent(tys.args[0]),
        false => Err(TypeFault::takes("a value and the number of a rank")),
    }
}

fn permuted(tys: &OperandTys<'_>) -> Result<Ty, TypeFault> {
    let moves = Ty::array(Ty::tuple([Ty::usize(), Ty::usize()]), 1);
    match tys.args[1] == moves {
        true => sent(tys.args[0]),
        false => Err(TypeFault::takes("a value and a list of moves from rank to rank")),
    }
}

type Evaluated<'a> = Result<Value<'a>, Failure>;

/// The ranks of a collective, by its last two operands.
fn exchange(op: &'static OpDef, args: &[Value<'_>]) -> Result<Exchange, Failure> {
    let [.., axis, is_typed] = args else { return Err(failure("a collective has too few operands")) };
    let axis = axis.as_str().ok_or_else(|| failure("the name of an axis is a text"))?;
    let is_typed = is_typed.as_bool() == Some(true);
    if !is_typed && is_transpose(op) && super::bind::bound(axis)?.is_some() {
        return Err(failure(format!(
            "a derivative inside communicates on the axis `{axis}`: differentiate the whole function under the context, \
             as by `(ADCtx, OnAxis)`"
        )));
    }
    Exchange::on(axis, is_typed, shown(op))
}

fn first(args: &mut [Value<'_>]) -> Value<'static> {
    args.first_mut().map_or(Value::Unit, |x| x.take().into_owned())
}

fn number(args: &[Value<'_>], at: usize) -> Result<usize, Failure> {
    args.get(at).and_then(Value::as_index).ok_or_else(|| failure("the number of a rank is expected"))
}

fn usize_value<'a>(n: usize) -> Value<'a> {
    Value::from(n)
}

fn index<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    Ok(usize_value(exchange(&INDEX, args)?.index()))
}

fn size<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    Ok(usize_value(exchange(&SIZE, args)?.size()))
}

fn psum<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    exchange(&PSUM, args)?.sum(first(args), cx.ret)
}

fn pvary<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    if args.last().and_then(Value::as_bool) != Some(true) {
        exchange(&PVARY, args)?;
    }
    Ok(args.first_mut().map_or(Value::Unit, Value::take))
}

fn argmax<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let exchange = exchange(&ARGMAX, args)?;
    let x = first(args);
    Ok(usize_value(exchange.winner(&x, x.ty(), |a, b| is_less(b, a))?))
}

fn argmin<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let exchange = exchange(&ARGMIN, args)?;
    let x = first(args);
    Ok(usize_value(exchange.winner(&x, x.ty(), is_less)?))
}

fn is_less(a: &Value<'_>, b: &Value<'_>) -> bool {
    match (a, b) {
        (Value::F64(a), Value::F64(b)) => a < b,
        (Value::F32(a), Value::F32(b)) => a < b,
        (Value::U128(a), Value::U128(b)) => a < b,
        _ => a.as_int() < b.as_int(),
    }
}

fn list<'a>(values: Vec<Value<'static>>, ty: Ty) -> Evaluated<'a> {
    let elem = ty.as_array().map(|array| array.elem).ok_or_else(|| failure("a list is expected"))?;
    let array = Array::from_values(elem, values.into_iter().map(Value::into_owned));
    array.map(Value::from).ok_or_else(|| failure("a list of other values is expected"))
}

fn all_gather<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let exchange = exchange(&ALL_GATHER, args)?;
    let elem = cx.ret.as_array().map_or(cx.ret, |array| array.elem);
    list(exchange.gather(&first(args), elem)?, cx.ret)
}

fn own<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let at = exchange(&OWN, args)?.index();
    let elem = args.first().and_then(Value::as_array).and_then(|list| list.get(at));
    elem.ok_or_else(|| failure(format!("there is no element for rank {at}")))
}

fn broadcast<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let root = number(args, 1)?;
    exchange(&BROADCAST, args)?.broadcast(&first(args), root, cx.ret)
}

fn at_root<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let root = number(args, 1)?;
    let exchange = exchange(&AT_ROOT, args)?;
    exchange.is_rank(root)?;
    let x = first(args);
    if exchange.index() == root { Ok(x) } else { zero(&x) }
}

fn permute<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>], is_back: bool) -> Evaluated<'a> {
    let pair = |pair: Value<'_>| {
        let parts = &pair.as_composite()?.parts;
        let (from, to) = (parts.first()?.as_index()?, parts.get(1)?.as_index()?);
        Some(if is_back { (to, from) } else { (from, to) })
    };
    let moves = args.get(1).and_then(Value::as_array).and_then(|moves| moves.iter().map(pair).collect());
    let moves: Vec<(usize, usize)> = moves.ok_or_else(|| failure("moves are pairs of ranks"))?;
    let exchange = exchange(if is_back { &PPERMUTE_BACK } else { &PPERMUTE }, args)?;
    exchange.permute(&first(args), &moves, cx.ret)
}

fn all_to_all<'a>(cx: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let exchange = exchange(&ALL_TO_ALL, args)?;
    let elem = cx.ret.as_array().map_or(cx.ret, |array| array.elem);
    let parts = first(args).as_array().map(|list| list.iter().collect()).unwrap_or_default();
    list(exchange.transpose(parts, elem)?, cx.ret)
}

fn check_bound<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let axis = args.first().and_then(Value::as_str).unwrap_or_default();
    match super::bind::bound(axis)? {
        Some(_) => Ok(Value::Unit),
        None => {
            Err(failure(format!("the axis `{axis}` is not bound: run it in `bind({axis:?}, &ranks, || …)`")))
        }
    }
}

fn check_replicated<'a>(_: &mut OpCx<'_, 'a>, args: &mut [Value<'a>]) -> Evaluated<'a> {
    let exchange = exchange(&CHECK_REPLICATED, args)?;
    let name = args.get(1).and_then(Value::as_str).unwrap_or_default().to_owned();
    exchange.check_replicated(&first(args), &name)?;
    Ok(Value::Unit)
}

/// The name of a collective as programs call it.
pub(super) fn shown(op: &OpDef) -> &'static str {
    let own = op.name.strip_prefix("axis.").unwrap_or(op.name);
    let called = [(&ARGMAX, "pmax"), (&ARGMIN, "pmin"), (&INDEX, "axis_index"), (&SIZE, "axis_size")];
    called.iter().find(|(known, _)| **known == *op).map_or(own, |(_, name)| name)
}
