//! Augmented floats: domains in which a float is a pair of a number and what an engine attaches to it, a tangent or a
//! tape entry.
//!
//! - AUG2 the attachment of a constant is zero, in all its parts.

use std::sync::Arc;

use overdub_context::engine::{Body, CallSite, Called, Domain, Key, Lifted, Pass, PassError};
use overdub_context::ir::{BuildError, Field, Func, FuncBuilder, Nominal, NominalBody, Operand, Ty, TyKind};
use overdub_context::ops::{self, OpDef};
use overdub_context::{Symbol, value::Value};
use overdub_passes::Scope;

use crate::annotations::STOP;
use crate::array_ops;
use crate::bit_provenance;
use crate::custom::{self, ActiveRules, Site};
use crate::expr::float_constant;
use crate::flatten;
use crate::float_pair::{is_float, universe};
use crate::matrix_product;
use crate::nd;
use crate::rules::{
    CHECKED_AGAINST, Factored, Library, Partials, PluginDerivative, Rule, TuplePart, plugin_derivative, rule,
};
use crate::text_provenance;
use crate::text_reads;

/// A domain that attaches something to floats.
pub(crate) trait Augment: Clone + Send + Sync + 'static {
    /// The name of the domain in the names of functions.
    fn name(&self) -> String;

    /// The key of the context.
    fn key(&self) -> Key;

    /// The type of the attachment of a float of type `float`.
    fn carried(&self, float: Ty) -> Ty;

    /// The attachment of a result, from those of its operands.
    fn combine(&self, build: &mut FuncBuilder, float: Ty, terms: &[Term]) -> Result<Operand, BuildError>;

    /// The direction in which the domain takes derivatives.
    fn mode(&self) -> custom::Mode;

    /// The operation that applies a rule of host closures.
    fn by_rule(&self) -> &'static OpDef;

    /// The product of matrices of pairs of this float type, by `nd.dot` or its replacement.
    fn product(
        &self,
        build: &mut FuncBuilder,
        op: &'static OpDef,
        float: Ty,
        of: [Operand; 2],
    ) -> Result<Operand, BuildError>;

    /// An operation of a plugin that is linear in its first operand; its result is `lifted` under the domain.
    fn linear(&self, call: &CallSite, op: &'static OpDef, lifted: Ty) -> Lifted;

    /// The attachment of a float that is converted to another precision.
    fn converted(&self, build: &mut FuncBuilder, carried: Operand, to: Ty) -> Result<Operand, BuildError>;
}

/// The contribution of an operand to the attachment of a result.
pub(crate) struct Term {
    /// The attachment of the operand.
    pub(crate) carried: Operand,
    /// The partial derivative in the operand.
    pub(crate) partial: Operand,
    /// The value of the partial derivative, if it is a constant.
    pub(crate) known: Option<f64>,
}

/// The domain of augmented floats, with the rules in whose scope it was made.
#[derive(Clone)]
pub(crate) struct Augmented<C>(C, ActiveRules);

impl<C: Augment> Augmented<C> {
    pub(crate) fn new(carry: C) -> Augmented<C> {
        Augmented(carry, ActiveRules::current())
    }

    /// The type of pairs for a float type.
    pub(crate) fn pair(&self, float: Ty) -> Ty {
        let universe = universe();
        let nominal = Nominal::new(universe, Symbol::new(&format!("{}<{float}>", self.0.name())), []);
        if nominal.body().is_none() {
            let field = |name: &str, ty: Ty| Field { name: Symbol::new(name), ty };
            let carried = self.0.carried(float);
            nominal.define(NominalBody::Struct(vec![field("x", float), field("carried", carried)]));
        }
        Ty::new(TyKind::Struct(nominal))
    }

    /// The type under the domain of numbers in lists and tuples.
    fn data_ty(&self, ty: Ty) -> Ty {
        match ty.kind() {
            TyKind::Float(_) => self.pair(ty),
            TyKind::Tuple(parts) => Ty::tuple(parts.iter().map(|part| self.data_ty(*part))),
            TyKind::Array(array) => Ty::array(self.data_ty(array.elem), array.rank),
            _ => ty,
        }
    }

    fn pair_of(&self, build: &mut FuncBuilder, x: Operand, carried: Operand) -> Result<Operand, BuildError> {
        let float = build.ty(&x)?;
        let pair = self.pair(float);
        build.op_as(&ops::STRUCT, [x, carried], pair).map(Operand::from)
    }

    fn with_zero(&self, build: &mut FuncBuilder, x: Operand) -> Result<Operand, BuildError> {
        let float = build.ty(&x)?;
        let zero = zero(build, self.0.carried(float))?;
        self.pair_of(build, x, zero)
    }

    fn partials(&self, call: &CallSite, op: &'static OpDef, partials: &'static Partials) -> Lifted {
        let (this, args, float) = (self.clone(), call.args.clone(), call.ret);
        Lifted::emit(move |build, operands| {
            let opened = OpenedOperands::new(build, operands, &args)?;
            let y: Operand = build.op_as(op, opened.numbers.iter().cloned(), float)?.into();
            let carried = this.follow(build, &opened, &y, &partials.factored(args.len()), float)?;
            this.pair_of(build, y, carried)
        })
    }

    fn parts(&self, call: &CallSite, parts: fn(&[crate::Expr]) -> Vec<TuplePart>) -> Lifted {
        let (this, args) = (self.clone(), call.args.clone());
        Lifted::emit(move |build, operands| {
            let opened = OpenedOperands::new(build, operands, &args)?;
            let symbols: Vec<crate::Expr> = (0..args.len()).map(crate::Expr::operand).collect();
            let float = args[0];
            let mut pairs = Vec::new();
            for part in parts(&symbols) {
                let y = part.value.emit(build, &opened.numbers, &Operand::unit(), float)?;
                let partials = Factored { common: None, rest: part.partials };
                let carried = this.follow(build, &opened, &y, &partials, float)?;
                pairs.push(this.pair_of(build, y, carried)?);
            }
            build.op(&ops::TUPLE, pairs).map(Operand::from)
        })
    }

    /// The attachment of a result, by the formulas of the partial derivatives.
    fn follow(
        &self,
        build: &mut FuncBuilder,
        opened: &OpenedOperands,
        y: &Operand,
        partials: &Factored,
        float: Ty,
    ) -> Result<Operand, BuildError> {
        let term = |build: &mut FuncBuilder, carried: Operand, formula: &crate::Expr| {
            let partial = formula.emit(build, &opened.numbers, y, float)?;
            let of_operand = || partial.constant().and_then(|constant| constant.value().as_f64());
            let known = formula.as_float().or_else(of_operand);
            Ok::<Term, BuildError>(Term { carried, partial, known })
        };
        let mut terms = Vec::new();
        for (carried, formula) in opened.carried.iter().zip(&partials.rest) {
            let Some(carried) = carried.clone() else { continue };
            if formula.as_float() != Some(0.0) {
                terms.push(term(build, carried, formula)?);
            }
        }
        if terms.is_empty() {
            return zero(build, self.0.carried(float));
        }
        let sum = self.0.combine(build, float, &terms)?;
        match &partials.common {
            // ROW3
            Some(common) => {
                let term = term(build, sum, common)?;
                self.0.combine(build, float, &[term])
            }
            None => Ok(sum),
        }
    }

    /// Calls the function of a rule on the numbers; the attachment follows the rule's partial derivatives.
    fn by_partials(
        &self,
        call: &CallSite,
        site: &'static Site,
        partials: &'static custom::Partials,
    ) -> Lifted {
        let (this, args, float) = (self.clone(), call.args[1..].to_vec(), call.ret);
        Lifted::emit(move |build, operands| {
            let opened = OpenedOperands::new(build, &operands[1..], &args)?;
            let y: Operand = build.call(site.func, opened.numbers.iter().cloned(), float)?.into();
            let found: Operand =
                build.call(partials.func, opened.numbers.iter().cloned(), partials.ret)?.into();
            let mut terms = Vec::new();
            for (k, carried) in (0_i64..).zip(&opened.carried) {
                let Some(carried) = carried.clone() else { continue };
                let partial = match partials.ret.kind() {
                    TyKind::Tuple(_) => build.op(&ops::FIELD, [found.clone(), k.into()])?.into(),
                    _ => found.clone(),
                };
                terms.push(Term { carried, partial, known: None });
            }
            let carried = this.combined(build, float, &terms)?;
            this.pair_of(build, y, carried)
        })
    }

    /// Calls a library function on the numbers; the attachments follow its formulas.
    fn by_library(&self, call: &CallSite, site: &'static Site, library: Library) -> Lifted {
        let (this, args) = (self.clone(), call.args[1..].to_vec());
        Lifted::emit(move |build, operands| {
            let opened = OpenedOperands::new(build, &operands[1..], &args)?;
            let y = library.call(build, site.func, &opened.numbers)?;
            let mut parts = Vec::new();
            for component in library.components() {
                let part = component.of(build, &y)?;
                parts.push(match component.partials() {
                    Some(partials) => {
                        let partials = partials.factored(args.len());
                        let carried = this.follow(build, &opened, &part, &partials, component.ty)?;
                        this.pair_of(build, part, carried)?
                    }
                    None if is_float(component.ty) => this.with_zero(build, part)?,
                    None => part,
                });
            }
            library.joined(build, parts)
        })
    }

    /// A float built from bits (BITS1, BITS3, BITS4).
    fn of_bits(&self, call: &CallSite, op: &'static OpDef) -> Lifted {
        let (this, args, float) = (self.clone(), call.args.clone(), call.ret);
        let (computed, slope) = bit_provenance::computed(op);
        Lifted::emit(move |build, operands| {
            let opened = OpenedOperands::new(build, operands, &args)?;
            let y: Operand = build.op_as(computed, [opened.numbers[0].clone()], float)?.into();
            // Two floats can have the same digits, so digits do not tell whose they are.
            let slope =
                if opened.carried.iter().flatten().count() > 1 { &bit_provenance::LOST } else { slope };
            let mut terms = Vec::new();
            for ((x, carried), of) in opened.numbers.iter().zip(&opened.carried).zip(&args) {
                let Some(carried) = carried.clone() else { continue };
                let as_float_value = as_float(build, y.clone(), *of)?;
                let partial: Operand = build.op(slope, [x.clone(), as_float_value, carried.clone()])?.into();
                let partial = as_float(build, partial, float)?;
                let carried = match *of == float {
                    true => carried,
                    false => this.0.converted(build, carried, float)?,
                };
                terms.push(Term { carried, partial, known: None });
            }
            if terms.is_empty() && *slope == bit_provenance::LOST {
                // It is not known which floats these bits come from.
                let lost = build.op(&bit_provenance::UNKNOWN, [y.clone()])?;
                terms.push(Term {
                    carried: zero(build, this.0.carried(float))?,
                    partial: lost.into(),
                    known: None,
                });
            }
            let carried = this.combined(build, float, &terms)?;
            this.pair_of(build, y, carried)
        })
    }

    /// The derivative of a float built from bits: a power of two, or zero, which is piecewise constant. An attachment
    /// that it depends on is zero only with its own attachment: `(x - 1)²` has the tangent 0 at 1, which varies.
    fn of_slope(&self, call: &CallSite, op: &'static OpDef) -> Lifted {
        let (this, args) = (self.clone(), call.args.clone());
        Lifted::emit(move |build, operands| {
            let mut opened = OpenedOperands::new(build, operands, &args)?.numbers;
            if let (Some(inner), Some(whole)) = (opened.get_mut(2), operands.get(2)) {
                *inner = whole.clone();
            }
            let slope = build.op(op, opened)?;
            this.with_zero(build, slope.into())
        })
    }

    /// The bits of a float, or an integer that it is cast to (BITS5): by `plain` if it is a constant, else by `taken`.
    fn of_taken(&self, call: &CallSite, plain: &'static OpDef, taken: &'static OpDef) -> Lifted {
        let (args, ret) = (call.args.clone(), call.ret);
        Lifted::emit(move |build, operands| {
            let opened = OpenedOperands::new(build, operands, &args)?;
            let x = opened.numbers[0].clone();
            // In a derivative of a derivative, the attachment of the inner one.
            if let [_, inner] = &opened.numbers[..] {
                build.op_as(taken, [x.clone(), inner.clone()], ret)?;
            }
            Ok(match &opened.carried[0] {
                Some(carried) => build.op_as(taken, [x, carried.clone()], ret)?.into(),
                None => build.op_as(plain, [x], ret)?.into(),
            })
        })
    }

    /// A float formatted as text.
    fn formatted(&self, call: &CallSite) -> Lifted {
        let args = call.args.clone();
        Lifted::emit(move |build, operands| {
            let opened = OpenedOperands::new(build, operands, &args)?;
            let precision = opened.numbers[2].clone();
            let text: Operand = build.op(&ops::FMT_FLOAT, opened.numbers)?.into();
            match &opened.carried[0] {
                Some(carried) => {
                    Ok(build.op(&text_provenance::FORMATTED, [text, precision, carried.clone()])?.into())
                }
                None => Ok(text),
            }
        })
    }

    /// A value that was compared with a reference: the value itself, with its attachment.
    fn of_checked(&self, call: &CallSite) -> Lifted {
        let (this, args) = (self.clone(), call.args.clone());
        Lifted::emit(move |build, operands| {
            let opened = OpenedOperands::new(build, operands, &args)?;
            let y: Operand = build.op(&CHECKED_AGAINST, opened.numbers)?.into();
            match &opened.carried[0] {
                Some(carried) => this.pair_of(build, y, carried.clone()),
                None => this.with_zero(build, y),
            }
        })
    }

    /// The attachment of a result, from terms of which there may be none.
    fn combined(&self, build: &mut FuncBuilder, float: Ty, terms: &[Term]) -> Result<Operand, BuildError> {
        if terms.is_empty() {
            zero(build, self.0.carried(float))
        } else {
            self.0.combine(build, float, terms)
        }
    }

    fn by_site(&self, call: &CallSite) -> Option<Lifted> {
        let site = custom::site_of(call)?;
        if let Some(library) = site.rule.library {
            return Some(self.by_library(call, site, library));
        }
        match site.rule.partials.as_ref() {
            Some(partials) if !partials.are_for(site) => Some(custom::misfit(site)),
            Some(partials) => Some(self.by_partials(call, site, partials)),
            None => Some(Lifted::Op(self.0.by_rule())),
        }
    }

    /// A product of matrices.
    fn product(&self, call: &CallSite, op: &'static OpDef) -> Option<Lifted> {
        let elem = |ty: &Ty| ty.as_array().filter(|array| array.rank == 2 && is_float(array.elem));
        let (float, this) = (elem(&call.args[0])?.elem, self.clone());
        elem(&call.args[1])?;
        let pairs = Ty::array(self.pair(float), 2);
        Some(Lifted::emit(move |build, operands| {
            let mut of = Vec::new();
            for operand in operands {
                let is_constant = operand.constant().is_some();
                let lifted = |build: &mut FuncBuilder| build.op_as(&flatten::LIFT, [operand.clone()], pairs);
                of.push(if is_constant { lifted(build)?.into() } else { operand.clone() });
            }
            let [a, b] = <[Operand; 2]>::try_from(of).expect("V2: a product has two operands");
            this.0.product(build, op, float, [a, b])
        }))
    }

    fn converted(&self, call: &CallSite) -> Lifted {
        let (this, to) = (self.clone(), call.ret);
        Lifted::emit(move |build, operands| {
            let opened = OpenedOperands::new(build, operands, &[Ty::f64()])?;
            let x: Operand = build.op_as(&ops::CAST, opened.numbers, to)?.into();
            let carried = match &opened.carried[0] {
                Some(carried) => this.0.converted(build, carried.clone(), to)?,
                None => zero(build, this.0.carried(to))?,
            };
            this.pair_of(build, x, carried)
        })
    }
}

fn as_float(build: &mut FuncBuilder, x: Operand, float: Ty) -> Result<Operand, BuildError> {
    if build.ty(&x)? == float { Ok(x) } else { build.op_as(&ops::CAST, [x], float).map(Operand::from) }
}

/// Operands, split into numbers and attachments.
struct OpenedOperands {
    numbers: Vec<Operand>,
    /// The attachment of each operand; `None` for a constant or an integer.
    carried: Vec<Option<Operand>>,
}

impl OpenedOperands {
    fn new(build: &mut FuncBuilder, operands: &[Operand], tys: &[Ty]) -> Result<OpenedOperands, BuildError> {
        let mut opened = OpenedOperands { numbers: Vec::new(), carried: Vec::new() };
        for (operand, ty) in operands.iter().zip(tys) {
            if operand.constant().is_some() || !is_float(*ty) {
                opened.numbers.push(operand.clone());
                opened.carried.push(None);
                continue;
            }
            opened.numbers.push(build.op(&ops::FIELD, [operand.clone(), 0_i64.into()])?.into());
            opened.carried.push(Some(build.op(&ops::FIELD, [operand.clone(), 1_i64.into()])?.into()));
        }
        Ok(opened)
    }
}

/// The zero attachment of a constant (AUG2).
pub(crate) fn zero(build: &mut FuncBuilder, ty: Ty) -> Result<Operand, BuildError> {
    match ty.kind() {
        TyKind::Float(_) => Ok(float_constant(0.0, ty)),
        TyKind::Tuple(parts) => {
            let parts = parts.iter().map(|part| zero(build, *part)).collect::<Result<Vec<_>, _>>()?;
            build.op(&ops::TUPLE, parts).map(Operand::from)
        }
        _ => build.constant(Value::from(0_i64), ty),
    }
}

impl<C: Augment> Domain for Augmented<C> {
    fn name(&self) -> String {
        self.0.name()
    }

    fn key(&self) -> Key {
        custom::keyed(self.0.key(), &self.1)
    }

    fn map(&self, ty: Ty) -> Option<Ty> {
        is_float(ty).then(|| self.pair(ty))
    }

    fn lift(&self, of: Ty) -> Option<Lifted> {
        if !is_float(of) {
            return Some(Lifted::Op(&flatten::LIFT));
        }
        let this = self.clone();
        Some(Lifted::emit(move |build, x| this.with_zero(build, x[0].clone())))
    }

    fn untag(&self, of: Ty, _: &CallSite) -> Option<Lifted> {
        if !is_float(of) {
            return Some(Lifted::Op(&flatten::PLAIN));
        }
        Some(Lifted::emit(|build, x| build.op(&ops::FIELD, [x[0].clone(), 0_i64.into()]).map(Operand::from)))
    }

    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
        let optimised = body.optimised()?;
        let optimised =
            nd::expanded(&optimised, nd::KeepArrayOps::Products, &Scope::none())?.map_or(optimised, Arc::new);
        let optimised = text_reads::reading(&optimised)?.map_or(optimised, Arc::new);
        Ok(match bit_provenance::named(&optimised)? {
            Some(named) => Pass::Rewrite(named),
            None if Arc::ptr_eq(&optimised, body.func()) => Pass::Keep,
            None => Pass::Rewrite(Arc::unwrap_or_clone(optimised)),
        })
    }

    fn replaced(&self, func: Symbol, params: &[Ty], ret: Ty) -> Option<Arc<Func>> {
        self.1.during(|| custom::replaced(func, params, ret, self.0.mode()))
    }

    fn lifted(&self, call: &CallSite) -> Option<Lifted> {
        let Called::Op(op) = call.callee else { return None };
        if *op == custom::REPLACED || *op == custom::CHECKPOINTED {
            return Some(custom::lifted(op, call, self.0.mode()));
        }
        if [&STOP, &text_provenance::PARSED, &text_provenance::FORMATTED].contains(&op) {
            return Some(Lifted::Untagged);
        }
        if *op == ops::FMT_FLOAT {
            return Some(self.formatted(call));
        }
        if *op == custom::RULE {
            return self.by_site(call);
        }
        if *op == custom::FORWARD || *op == custom::BACKWARD || custom::is_reverse_op(op) {
            return Some(custom::refused());
        }
        if bit_provenance::is_built_from_bits(op) {
            return Some(self.of_bits(call, op));
        }
        if *op == ops::TO_BITS || *op == bit_provenance::TAKEN {
            return Some(self.of_taken(call, &ops::TO_BITS, &bit_provenance::TAKEN));
        }
        let casts_to_int =
            *op == ops::CAST && is_float(call.args[0]) && matches!(call.ret.kind(), TyKind::Int(_));
        if casts_to_int || *op == bit_provenance::COUNTED_TAKEN {
            return Some(self.of_taken(call, &ops::CAST, &bit_provenance::COUNTED_TAKEN));
        }
        if *op == CHECKED_AGAINST {
            return Some(self.of_checked(call));
        }
        if bit_provenance::is_slope(op) {
            return Some(self.of_slope(call, op));
        }
        if matrix_product::rearranges(op) {
            return Some(Lifted::Op(op));
        }
        if (*op == ops::ND_DOT || *op == array_ops::DOT_ZERO)
            && let Some(product) = self.product(call, op)
        {
            return Some(product);
        }
        match plugin_derivative(op) {
            Some(PluginDerivative::Zero) => return Some(Lifted::Untagged),
            Some(PluginDerivative::Linear { .. }) => {
                return Some(self.0.linear(call, op, self.data_ty(call.ret)));
            }
            None => {}
        }
        let on_scalars = call.args.iter().all(|ty| ty.as_array().is_none());
        match rule(op)? {
            Rule::Partials(partials) if on_scalars => {
                is_float(call.ret).then(|| self.partials(call, op, partials))
            }
            Rule::Parts(parts) if on_scalars => Some(self.parts(call, *parts)),
            Rule::Cast if is_float(call.args[0]) && is_float(call.ret) => Some(self.converted(call)),
            Rule::Zero if on_scalars && is_float(call.ret) => Some(Lifted::Untagged),
            // Piecewise constant: a cast to an integer, a class, a text.
            Rule::Zero | Rule::Cast if returns_no_float(call) => Some(Lifted::Untagged),
            // An array built from integers has zero attachments.
            Rule::ArrayOp(_) if !call.args.iter().any(holds_float) => Some(Lifted::Untagged),
            Rule::Refuse(reason) => Some(Lifted::Refused { reason: (*reason).to_owned(), help: None }),
            Rule::Partials(_) | Rule::Parts(_) | Rule::ArrayOp(_) if touches(call) => Some(Lifted::Refused {
                reason: "there is no rule for whole arrays yet".to_owned(),
                help: Some("write it as a loop over the elements".to_owned()),
            }),
            Rule::Partials(_)
            | Rule::Parts(_)
            | Rule::ArrayOp(_)
            | Rule::Zero
            | Rule::Moves(_)
            | Rule::Cast => None,
        }
    }
}

/// Whether the operands are floats and the result is an integer or a text.
fn returns_no_float(call: &CallSite) -> bool {
    call.args.iter().any(|ty| is_float(*ty)) && matches!(call.ret.kind(), TyKind::Int(_) | TyKind::Str)
}

/// Whether an operand or the result is a float.
fn touches(call: &CallSite) -> bool {
    call.args.iter().chain([&call.ret]).any(holds_float)
}

fn holds_float(ty: &Ty) -> bool {
    is_float(*ty) || ty.as_array().is_some_and(|array| is_float(array.elem))
}

/// The lifting of a domain, as a context.
pub(crate) fn context<C: Augment>(carry: C) -> overdub_context::engine::Lift {
    overdub_context::engine::Lift::new(Augmented::new(carry))
}
