//! Domains in which a number carries how many numbers it was computed from: as a struct, as a tuple, as a
//! host value.

use overdub_context::engine::{CallSite, Called, Domain, Key, Lifted};
use overdub_context::ir::{Field, Nominal, NominalBody, Operand, Ty, TyKind};
use overdub_context::ops::{Arity, Effects, OpDef, TypeFault};
use overdub_context::value::{Opaque, Value};
use overdub_context::{Failure, FailureKind, Symbol, ops};

use crate::values::composed;

/// The type that replaces floats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tagged {
    /// A struct of the number and an integer.
    Struct,
    /// A tuple of the number and an integer.
    Tuple,
    /// A host value.
    Opaque,
}

/// The host value.
#[derive(Clone, Debug)]
struct Host {
    x: f64,
    /// On the heap, so that a value that is freed too early is noticed.
    from: Vec<i64>,
}

impl Tagged {
    /// The type.
    pub fn ty(self) -> Ty {
        match self {
            Tagged::Struct => {
                let nominal = Nominal::shared("MatrixTagged", []);
                let field = |name, ty| Field { name: Symbol::new(name), ty };
                nominal.define(NominalBody::Struct([field("x", Ty::f64()), field("from", Ty::i64())].into()));
                Ty::new(TyKind::Struct(nominal))
            }
            Tagged::Tuple => Ty::tuple([Ty::f64(), Ty::i64()]),
            Tagged::Opaque => Ty::new(TyKind::Opaque(Symbol::new("MatrixTagged"))),
        }
    }

    /// A number computed from itself alone.
    pub fn value(self, x: f64) -> Value<'static> {
        match self {
            Tagged::Struct | Tagged::Tuple => {
                let ty = (self == Tagged::Struct).then(|| self.ty());
                composed(ty, 0, [Value::F64(x), Value::from(1_i64)].into_iter())
            }
            Tagged::Opaque => opaque(Host { x, from: vec![1] }),
        }
    }

    /// The number of a value.
    pub fn number(self, value: &Value<'_>) -> Option<f64> {
        match self {
            Tagged::Struct | Tagged::Tuple => value.as_composite()?.parts.first()?.as_f64(),
            Tagged::Opaque => host(value).ok().map(|host| host.x),
        }
    }
}

fn opaque<'a>(host: Host) -> Value<'a> {
    Value::Opaque(Box::new(Opaque { name: Symbol::new("MatrixTagged"), value: Box::new(host) }))
}

fn host<'v>(value: &'v Value<'_>) -> Result<&'v Host, Failure> {
    let host = if let Value::Opaque(opaque) = value { opaque.get::<Host>() } else { None };
    host.ok_or_else(|| Failure::new(FailureKind::Type, format!("{value:?} is no tagged number")))
}

/// The host value of a number, with what the tagged operands carry.
static JOIN: OpDef = OpDef {
    name: "matrix.join",
    arity: Arity::AtLeast(1),
    ty: |tys| match tys.args {
        [x, ..] if *x == Ty::f64() => Ok(Tagged::Opaque.ty()),
        _ => Err(TypeFault::takes("a float and tagged numbers")),
    },
    effects: Effects::FAILS,
    eval: |_, args| {
        let x = args.first().and_then(Value::as_f64).unwrap_or(f64::NAN);
        let mut from = Vec::new();
        for arg in args.iter().skip(1) {
            from.push(host(arg)?.from.iter().fold(1_i64, |sum, n| sum.wrapping_add(*n)));
        }
        Ok(opaque(Host { x, from }))
    },
    doc: "The host value of a number, with what the tagged operands carry.",
};

/// The number of a host value.
static NUMBER: OpDef = OpDef {
    name: "matrix.number",
    arity: Arity::Exactly(1),
    ty: |_| Ok(Ty::f64()),
    effects: Effects::FAILS,
    eval: |_, args| host(args.first().unwrap_or(&Value::Unit)).map(|host| Value::F64(host.x)),
    doc: "The number that a host value is.",
};

impl Domain for Tagged {
    fn name(&self) -> String {
        format!("Tagged{self:?}")
    }

    fn key(&self) -> Key {
        Key::of::<Tagged>().with(self)
    }

    fn map(&self, ty: Ty) -> Option<Ty> {
        (ty == Ty::f64()).then(|| self.ty())
    }

    fn lift(&self, of: Ty) -> Option<Lifted> {
        let kind = *self;
        (of == Ty::f64()).then(|| {
            Lifted::emit(move |build, args| match kind {
                Tagged::Opaque => build.op(&JOIN, args.to_vec()).map(Operand::from),
                Tagged::Struct => {
                    build.op_as(&ops::STRUCT, [args[0].clone(), 1_i64.into()], kind.ty()).map(Operand::from)
                }
                Tagged::Tuple => build.op(&ops::TUPLE, [args[0].clone(), 1_i64.into()]).map(Operand::from),
            })
        })
    }

    fn untag(&self, of: Ty, _: &CallSite) -> Option<Lifted> {
        let kind = *self;
        (of == Ty::f64()).then(|| {
            Lifted::emit(move |build, args| match kind {
                Tagged::Opaque => build.op(&NUMBER, args.to_vec()).map(Operand::from),
                Tagged::Struct | Tagged::Tuple => {
                    build.op(&ops::FIELD, [args[0].clone(), 0_i64.into()]).map(Operand::from)
                }
            })
        })
    }

    fn lifted(&self, call: &CallSite) -> Option<Lifted> {
        let Called::Op(op) = call.callee else { return None };
        let scalar = |ty: &Ty| ty.is_number() || *ty == Ty::bool();
        // A result that is not a float of the domain carries nothing.
        if call.ret != Ty::f64() && scalar(&call.ret) && call.args.iter().all(scalar) {
            return Some(Lifted::Untagged);
        }
        if *op == ops::SELECT || call.ret != Ty::f64() || !call.args.iter().all(scalar) {
            return None;
        }
        let kind = *self;
        Some(Lifted::emit(move |build, args| {
            let (mut plain, mut tagged) = (Vec::new(), Vec::new());
            let mut from = Operand::from(1_i64);
            for arg in args {
                if arg.var().is_none() || build.ty(arg)? != kind.ty() {
                    plain.push(arg.clone());
                    continue;
                }
                tagged.push(arg.clone());
                match kind {
                    Tagged::Opaque => plain.push(build.op(&NUMBER, [arg.clone()])?.into()),
                    Tagged::Struct | Tagged::Tuple => {
                        plain.push(build.op(&ops::FIELD, [arg.clone(), 0_i64.into()])?.into());
                        let of = build.op(&ops::FIELD, [arg.clone(), 1_i64.into()])?;
                        from = build.op(&ops::ADD_WRAPPING, [from, of.into()])?.into();
                    }
                }
            }
            let y: Operand = build.op_as(op, plain, Ty::f64())?.into();
            match kind {
                Tagged::Opaque => {
                    tagged.insert(0, y);
                    build.op(&JOIN, tagged).map(Operand::from)
                }
                Tagged::Struct => build.op_as(&ops::STRUCT, [y, from], kind.ty()).map(Operand::from),
                Tagged::Tuple => build.op(&ops::TUPLE, [y, from]).map(Operand::from),
            }
        }))
    }
}
