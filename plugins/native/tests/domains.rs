//! Domains give the same by both executors, whether numbers become host values, structs or tuples.

use std::collections::BTreeSet;
use std::sync::Arc;

use overdub_context::Failure;
use overdub_context::FailureKind;
use overdub_context::Symbol;
use overdub_context::engine::{CallSite, Called, Domain, Key, Lift, Lifted, ctx_with};
use overdub_context::ir::{BuildError, Field, FuncBuilder, Nominal, NominalBody, Operand, Ty, TyKind};
use overdub_context::ops::{self, Arity, Effects, OpCx, OpDef, TypeFault};
use overdub_context::value::{Array, Composite, Opaque, Value};
use overdub_lower::Loaded;
use overdub_native::Native;

const PROGRAM: &str = r#"
use std::collections::{BTreeMap, HashMap};
pub fn one_entry(xs: &[f64]) -> f64 { let mut m: BTreeMap<i64, Vec<f64>> = BTreeMap::new(); m.entry(1).or_default().push(xs[0]); m[&1][0] }
pub fn two_entries(xs: &[f64]) -> f64 { let mut m: BTreeMap<i64, Vec<f64>> = BTreeMap::new(); m.entry(1).or_default().push(xs[0]); m.entry(1).or_default().push(xs[1]); m[&1][0] }
pub fn written(xs: &[f64]) -> f64 { let mut m: BTreeMap<i64, Vec<f64>> = BTreeMap::new(); m.entry(1).or_default().push(xs[0]); if let Some(b) = m.get_mut(&1) { b[0] = xs[1]; } m[&1][0] }
pub fn rows(xs: &[f64]) -> f64 { let mut m: Vec<Vec<f64>> = vec![]; m.push(Default::default()); let k = m.len() - 1; let r = &mut m[k]; r.push(xs[0]); let r = &mut m[k]; r[0] = xs[1]; m[0][0] }
pub fn inserted(xs: &[f64]) -> f64 { let mut m: Vec<(i64, Vec<f64>)> = vec![]; m.insert(0, (1, vec![])); let r = &mut m[0].1; r.push(xs[0]); let r = &mut m[0].1; r[0] = xs[1]; m[0].1[0] }
pub fn hashed(xs: &[f64]) -> f64 {
    let mut m: HashMap<i64, Vec<f64>> = HashMap::new();
    for (i, x) in xs.iter().enumerate() { m.entry(i as i64 % 2).or_default().push(*x); }
    for v in m.values_mut() { v.push(xs[0]); v[0] = v[0] * 2.0; }
    let mut keys: Vec<i64> = m.keys().copied().collect();
    keys.sort();
    keys.iter().map(|k| m[k].iter().sum::<f64>()).sum()
}
pub fn edited(xs: &[f64]) -> f64 {
    let mut v = xs.to_vec();
    v.push(xs[0] * 2.0);
    v.swap(0, 1);
    v.insert(1, xs[2]);
    let gone = v.remove(2);
    v.reverse();
    let last = v.pop().unwrap();
    v.extend_from_slice(&[gone, last]);
    v.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let w = v.clone();
    v[0] = 0.5;
    v.iter().zip(&w).map(|(a, b)| a * b).sum()
}
pub fn options(xs: &[f64]) -> f64 {
    let mut o: Vec<Option<f64>> = xs.iter().map(|x| if *x > 1.0 { Some(*x) } else { None }).collect();
    if let Some(x) = &mut o[0] { *x += xs[1]; }
    let first = o.get(0).copied().flatten().unwrap_or(0.0);
    let last = o.last().and_then(|x| *x).unwrap_or(7.0);
    o.iter().flatten().sum::<f64>() + first + last
}
pub struct Body { at: [f64; 2], mass: f64 }
pub fn bodies(xs: &[f64]) -> f64 {
    let mut all: Vec<Body> = xs.iter().map(|x| Body { at: [*x, 0.5], mass: *x * 2.0 }).collect();
    for i in 0..all.len() {
        for j in 0..all.len() {
            if i != j { let d = all[j].at[0] - all[i].at[0]; all[i].at[1] += d * all[j].mass; }
        }
    }
    all.iter().map(|b| b.at[1] * b.mass).sum()
}
pub fn closures(xs: &[f64]) -> f64 {
    let fs: Vec<Box<dyn Fn(f64) -> f64>> = xs.iter().map(|&k| Box::new(move |x: f64| x * k) as Box<dyn Fn(f64) -> f64>).collect();
    fs.iter().map(|f| f(xs[1])).sum()
}
pub fn in_a_cell(xs: &[f64]) -> f64 {
    let c = std::cell::RefCell::new(xs.to_vec());
    c.borrow_mut().push(xs[0]);
    c.borrow_mut()[1] = xs[2] * xs[0];
    let kept = c.borrow().clone();
    c.borrow_mut()[0] = 0.0;
    let total: f64 = c.borrow().iter().sum();
    total + kept[0] + kept[1]
}
"#;

const FUNCTIONS: &[&str] = &[
    "one_entry",
    "two_entries",
    "written",
    "rows",
    "inserted",
    "hashed",
    "edited",
    "options",
    "bodies",
    "closures",
    "in_a_cell",
];

/// A number, and which of the arguments it depends on.
#[derive(Clone, Debug)]
struct Taint {
    x: f64,
    of: BTreeSet<usize>,
}

fn taint_ty() -> Ty {
    Ty::new(TyKind::Opaque(Symbol::new("Taint")))
}

fn tainted<'a>(x: f64, of: BTreeSet<usize>) -> Value<'a> {
    Value::Opaque(Box::new(Opaque { name: Symbol::new("Taint"), value: Box::new(Taint { x, of }) }))
}

fn taint<'v>(value: &'v Value<'_>) -> Option<&'v Taint> {
    match value {
        Value::Opaque(opaque) => opaque.get(),
        _ => None,
    }
}

fn mistaken() -> Failure {
    Failure::new(FailureKind::Type, "no such operands")
}

/// The first operand, tainted with the arguments that the others depend on.
static JOIN: OpDef = OpDef {
    name: "taint.join",
    arity: Arity::AtLeast(1),
    ty: |tys| {
        if tys.args[0] == Ty::f64() { Ok(taint_ty()) } else { Err(TypeFault::takes("a float, and taints")) }
    },
    effects: Effects::PURE,
    eval: |_, args| {
        let x = args[0].as_f64().ok_or_else(mistaken)?;
        Ok(tainted(x, args[1..].iter().filter_map(taint).flat_map(|taint| taint.of.clone()).collect()))
    },
    doc: "A float with all that taints depend on.",
};

/// The number without its taint.
static NUMBER: OpDef = OpDef {
    name: "taint.number",
    arity: Arity::Exactly(1),
    ty: |tys| if tys.args[0] == taint_ty() { Ok(Ty::f64()) } else { Err(TypeFault::takes("a taint")) },
    effects: Effects::PURE,
    eval: |_: &mut OpCx<'_, '_>, args| taint(&args[0]).map(|taint| Value::F64(taint.x)).ok_or_else(mistaken),
    doc: "The number of a taint.",
};

/// The type that replaces numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Becomes {
    /// A host value.
    Opaque,
    /// A struct of a number and a vector.
    Struct,
    /// A tuple of two numbers: the second one counts the operations that led to it.
    Tuple,
}

impl Becomes {
    fn ty(self) -> Ty {
        match self {
            Becomes::Opaque => taint_ty(),
            Becomes::Struct => {
                let listed = Nominal::shared("ListedForDomains", []);
                let field = |name, ty| Field { name: Symbol::new(name), ty };
                listed.define(NominalBody::Struct(vec![
                    field("x", Ty::f64()),
                    field("of", Ty::array(Ty::i64(), 1)),
                ]));
                Ty::new(TyKind::Struct(listed))
            }
            Becomes::Tuple => Ty::tuple([Ty::f64(), Ty::i64()]),
        }
    }

    fn value(self, x: f64, of: usize) -> Value<'static> {
        let list = |of: usize| Value::from(Array::from_vec(vec![of as i64]));
        match self {
            Becomes::Opaque => tainted(x, [of].into()),
            Becomes::Struct => Value::Composite(Arc::new(Composite {
                ty: Some(self.ty()),
                tag: 0,
                parts: [Value::F64(x), list(of)].into_iter().collect(),
            })),
            Becomes::Tuple => Value::tuple([Value::F64(x), Value::from(1_i64)]),
        }
    }
}

impl Becomes {
    fn emit_number(self, b: &mut FuncBuilder, of: &Operand) -> Result<Operand, BuildError> {
        Ok(match self {
            Becomes::Opaque => b.op(&NUMBER, [of.clone()])?.into(),
            Becomes::Struct | Becomes::Tuple => b.op(&ops::FIELD, [of.clone(), 0_i64.into()])?.into(),
        })
    }

    /// A number that is computed from these.
    fn emit_join(self, b: &mut FuncBuilder, x: Operand, from: &[Operand]) -> Result<Operand, BuildError> {
        let mut all = match self {
            Becomes::Opaque => {
                let args: Vec<Operand> = [&[x], from].concat();
                return Ok(b.op(&JOIN, args)?.into());
            }
            Becomes::Struct => b.op_as(&ops::ARRAY, Vec::<Operand>::new(), Ty::array(Ty::i64(), 1))?.into(),
            Becomes::Tuple => Operand::from(1_i64),
        };
        for from in from {
            let its = b.op(&ops::FIELD, [from.clone(), 1_i64.into()])?;
            let op = if self == Becomes::Struct { &ops::CONCAT } else { &ops::ADD_WRAPPING };
            all = b.op(op, [all, its.into()])?.into();
        }
        let op = if self == Becomes::Struct { &ops::STRUCT } else { &ops::TUPLE };
        Ok(b.op_as(op, [x, all], self.ty())?.into())
    }
}

impl Domain for Becomes {
    fn name(&self) -> String {
        format!("{self:?}")
    }

    fn key(&self) -> Key {
        Key::of::<Becomes>().with(&format!("{self:?}"))
    }

    fn map(&self, ty: Ty) -> Option<Ty> {
        (ty == Ty::f64()).then(|| self.ty())
    }

    fn lift(&self, ty: Ty) -> Option<Lifted> {
        let this = *self;
        (ty == Ty::f64()).then(|| Lifted::emit(move |b, args| this.emit_join(b, args[0].clone(), &[])))
    }

    fn untag(&self, ty: Ty, _: &CallSite) -> Option<Lifted> {
        let this = *self;
        (ty == Ty::f64()).then(|| Lifted::emit(move |b, args| this.emit_number(b, &args[0])))
    }

    fn lifted(&self, call: &CallSite) -> Option<Lifted> {
        let Called::Op(op) = call.callee else { return None };
        let is_scalar = |ty: &Ty| ty.is_number() || *ty == Ty::bool();
        if *op == ops::SELECT || call.ret != Ty::f64() || !call.args.iter().all(is_scalar) {
            return None;
        }
        let this = *self;
        Some(Lifted::emit(move |b, args| {
            let (mut plain, mut marked) = (Vec::new(), Vec::new());
            for arg in args {
                if arg.var().is_some() && b.ty(arg)? == this.ty() {
                    plain.push(this.emit_number(b, arg)?);
                    marked.push(arg.clone());
                } else {
                    plain.push(arg.clone());
                }
            }
            let y = b.op_as(op, plain, Ty::f64())?;
            this.emit_join(b, y.into(), &marked)
        }))
    }
}

fn shown(value: &Value<'_>) -> String {
    match value {
        Value::Opaque(opaque) => format!("{:?}", opaque.value),
        other => other.to_string(),
    }
}

fn gives_the_same(becomes: Becomes) {
    let loaded = Loaded::from_source("domains.rs", PROGRAM).expect("it parses");
    let elems = [1.5, 0.2, 1.1, 2.9].into_iter().enumerate();
    let arg = Array::from_values(becomes.ty(), elems.map(|(of, x)| becomes.value(x, of)));
    let arg = Value::from(arg.expect("they are such"));
    let interpreted = loaded.engine();
    let natives = [Native::new(), Native::new().without_optimising()]
        .map(|native| loaded.engine_builder().executor(native).build());
    let domain = Lift::new(becomes);
    let counted = (ctx_with::<usize>().before(|count, _, _| *count += 1), Lift::new(becomes));
    for name in FUNCTIONS {
        let func = loaded.function(name).expect("it is there").symbol;
        let what = format!("{name} of {becomes:?}");
        let expected = interpreted.overdub(&domain, func, vec![arg.clone()]);
        let expected = expected.unwrap_or_else(|error| panic!("{what}: {error}"));
        let (_, count) = interpreted
            .overdub(&counted, func, vec![arg.clone()])
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        for native in &natives {
            for _ in 0..3 {
                let got = native
                    .overdub(&domain, func, vec![arg.clone()])
                    .unwrap_or_else(|error| panic!("{what}: {error}"));
                assert_eq!(shown(&got), shown(&expected), "{what}");
            }
            let got = native
                .overdub(&counted, func, vec![arg.clone()])
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!((shown(&got.0), got.1), (shown(&expected), count), "{what}, counted");
        }
    }
}

#[test]
fn a_domain_of_host_values_gives_the_same() {
    gives_the_same(Becomes::Opaque);
}

#[test]
fn a_domain_of_structs_gives_the_same() {
    gives_the_same(Becomes::Struct);
}

#[test]
fn a_domain_of_tuples_gives_the_same() {
    gives_the_same(Becomes::Tuple);
}
