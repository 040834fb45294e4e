//! The answer of a program: a function of the IR that calls the exported functions, and returns what they computed as the
//! JSON that the command line prints, so that the two can be compared.

mod entries;
mod json;
mod scalars;

use std::sync::atomic::{AtomicUsize, Ordering};

use overdub_context::Symbol;
use overdub_context::ir::{BuildError, Case, Func, FuncBuilder, Module, Operand, Target, Ty, TyKind, Var};
use overdub_context::ops;

use self::json::{Form, Texts, Writer};
use crate::compression::Compression;
use crate::derivative::Derivative;
use crate::error::ExportError;

/// What a caller knows of a function: the parameters, and what it returns besides their last values.
#[derive(Clone, Debug)]
pub struct Interface {
    params: Vec<(String, bool)>,
    result: Ty,
}

impl Interface {
    /// A function that returns `result`; for each parameter its name, and whether its last value is returned too, after
    /// the result (as that of `&mut` parameters is).
    pub fn new(params: impl IntoIterator<Item = (String, bool)>, result: Ty) -> Interface {
        Interface { params: params.into_iter().collect(), result }
    }

    /// The parameters whose last values are returned.
    fn outs(&self) -> Vec<&str> {
        self.params.iter().filter(|(_, is_out)| *is_out).map(|(name, _)| name.as_str()).collect()
    }
}

/// The exported function that a program calls.
pub(crate) struct Called<'c> {
    pub(crate) symbol: Symbol,
    pub(crate) derived: Option<&'c Derived>,
}

/// What an exported function is the derivative of.
pub(crate) struct Derived {
    pub(crate) of: Symbol,
    pub(crate) derivative: Derivative,
    /// The arguments that are differentiated, and of these the ones that hold floats: their derivatives are returned.
    pub(crate) wrt: Vec<bool>,
    pub(crate) returned: Vec<bool>,
    /// Of a Hessian, the function that computes the gradient as one list.
    pub(crate) gradient: Option<Symbol>,
    /// Whether it may be computed by plain products first (PLAINFIRST1).
    pub(crate) allows_plain_products: bool,
    /// Of a sparse matrix, its pattern.
    pub(crate) compression: Option<Compression>,
}

impl Derived {
    /// Whether the derivative does not compute the value.
    pub(crate) fn lacks_value(&self) -> bool {
        matches!(self.derivative, Derivative::Gradient | Derivative::Gradients | Derivative::Hvp)
            || self.is_matrix()
    }

    /// Whether the derivative is a list of rows, or of the entries of a pattern.
    fn is_matrix(&self) -> bool {
        self.compression.is_some() || matches!(self.derivative, Derivative::Jacobian | Derivative::Hessian)
    }
}

/// Why there is no answer.
pub(super) enum Unanswered {
    Build(BuildError),
    /// A value of this type has no JSON.
    Type(Ty),
}

impl From<BuildError> for Unanswered {
    fn from(error: BuildError) -> Unanswered {
        Unanswered::Build(error)
    }
}

/// Defines the function that calls an exported function, and returns the answer as text; and those that write its parts.
pub(crate) fn define(
    module: &Module,
    called: &Called<'_>,
    interface: &Interface,
) -> Result<Vec<Symbol>, ExportError> {
    /// Distinguishes the functions of one program from those of others.
    static PROGRAMS: AtomicUsize = AtomicUsize::new(0);
    let prefix = format!("answer{}::", PROGRAMS.fetch_add(1, Ordering::Relaxed));
    let load = |name: Symbol| {
        let func = module.func(name).map_err(|cause| ExportError::Load { func: name, cause })?;
        func.ok_or(ExportError::Missing(name))
    };
    let func = load(called.symbol)?;
    let primal = load(called.derived.map_or(called.symbol, |derived| derived.of))?;
    let mut answer = Answer { writer: Writer::new(module, &prefix), called, interface, primal: &primal };
    let name = Symbol::new(&format!("{prefix}answer"));
    let unsupported =
        |construct: String| ExportError::Unsupported { func: called.symbol, construct, span: func.span };
    let built = answer.build(name, &func).map_err(|why| match why {
        Unanswered::Build(error) => unsupported(format!("its answer has an unexpected form: {error}")),
        Unanswered::Type(ty) => unsupported(format!("a program that prints a value of type `{ty}`")),
    })?;
    module.define(built);
    Ok(std::iter::once(name).chain(answer.writer.defined()).collect())
}

struct Answer<'a> {
    writer: Writer<'a>,
    called: &'a Called<'a>,
    interface: &'a Interface,
    primal: &'a Func,
}

type Entries = Vec<(&'static str, Vec<Operand>)>;

impl Answer<'_> {
    fn build(&mut self, name: Symbol, func: &Func) -> Result<Func, Unanswered> {
        let mut build = FuncBuilder::new(name, Ty::str());
        let mut args: Vec<Operand> = Vec::new();
        for &param in func.params() {
            args.push(build.param(&func.var_label(param).to_string(), func.ty(param)).into());
        }
        let found = build.call(func.name, args.clone(), func.ret)?;
        let mut entries: Entries = Vec::new();
        match self.called.derived {
            None => self.value(&mut build, found, &mut entries)?,
            Some(derived) => self.derivative(&mut build, derived, (found, func.ret), &args, &mut entries)?,
        }
        entries.sort_by_key(|(key, _)| *key);
        let mut text = Texts::new("{");
        for (number, (key, pieces)) in entries.into_iter().enumerate() {
            text.literal(&format!("{}\"{key}\":", if number == 0 { "" } else { "," }));
            for piece in pieces {
                text.add(&mut build, piece)?;
            }
        }
        text.literal("}");
        let text = text.whole(&mut build)?;
        build.ret(text)?;
        Ok(build.finish()?)
    }

    /// The result of a function, and the last values of its parameters.
    fn value(
        &mut self,
        build: &mut FuncBuilder,
        found: Var,
        entries: &mut Entries,
    ) -> Result<(), Unanswered> {
        // A context may give the function another result, which is shown as it is.
        let is_own = build.func().ty(found) == self.primal.ret && self.expected() == self.primal.ret;
        if !is_own {
            let text = self.writer.text(build, Form::Value, found.into(), None)?;
            entries.push(("value", vec![text]));
            return Ok(());
        }
        let (result, outs) = self.split(build, found)?;
        let text = self.unwrapped(build, result)?;
        entries.push(("value", vec![text]));
        let mut named: Vec<(&str, Operand)> = self.interface.outs().into_iter().zip(outs).collect();
        named.sort_by_key(|(name, _)| *name);
        if named.is_empty() {
            return Ok(());
        }
        let mut pieces = Vec::new();
        for (number, (name, out)) in named.into_iter().enumerate() {
            let before = if number == 0 { "{" } else { "," };
            pieces.push(Operand::from(&*format!("{before}\"{name}\":")));
            pieces.push(self.writer.text(build, Form::Value, out, None)?);
        }
        pieces.push("}".into());
        entries.push(("mutated", pieces));
        Ok(())
    }

    /// The value of the function, and the derivative in its shape.
    fn derivative(
        &mut self,
        build: &mut FuncBuilder,
        derived: &Derived,
        (found, ret): (Var, Ty),
        args: &[Operand],
        entries: &mut Entries,
    ) -> Result<(), Unanswered> {
        let own = args.get(..derived.wrt.len()).unwrap_or(args);
        let mut parts = match (derived.derivative, ret.kind()) {
            _ if derived.is_matrix() => vec![found.into()],
            // One derivative is not in a tuple.
            (Derivative::Gradient | Derivative::Hvp, _)
                if derived.returned.iter().filter(|is_returned| **is_returned).count() == 1 =>
            {
                vec![found.into()]
            }
            (_, TyKind::Tuple(_)) => fields(build, found)?,
            _ => vec![found.into()],
        }
        .into_iter();
        let value = match derived.lacks_value() {
            true => build.call(derived.of, own.to_vec(), self.primal.ret)?,
            false => build.op(&ops::DUP, parts.next())?,
        };
        let (result, outs) = self.split(build, value)?;
        if derived.derivative == Derivative::Jvp {
            let tangent = parts.next().unwrap_or_else(Operand::unit);
            let tangent = if outs.is_empty() || self.interface.result == Ty::unit() && outs.len() == 1 {
                tangent
            } else {
                let has_result = self.interface.result != Ty::unit();
                match fields_of(build, &tangent)?.into_iter().next() {
                    Some(first) if has_result => first,
                    _ => Operand::unit(),
                }
            };
            let text = self.writer.text(build, Form::Derivative, result.clone(), Some(tangent))?;
            entries.push(("tangent", vec![text]));
        } else if let Some(compression) = &derived.compression {
            let values = parts.next().unwrap_or_else(Operand::unit);
            let text = self.writer.entries(build, values, compression)?;
            let is_hessian = derived.derivative == Derivative::SparseHessian;
            entries.push((if is_hessian { "hessian" } else { "jacobian" }, vec![text]));
        } else if derived.is_matrix() {
            let rows = parts.next().unwrap_or_else(Operand::unit);
            let text = self.writer.text(build, Form::Value, rows, None)?;
            let is_hessian = derived.derivative == Derivative::Hessian;
            entries.push((if is_hessian { "hessian" } else { "jacobian" }, vec![text]));
            if let Some(gradient) = derived.gradient {
                let gradient = build.call(gradient, own.to_vec(), Ty::array(Ty::f64(), 1))?;
                let text = self.writer.text(build, Form::Value, gradient.into(), None)?;
                entries.push(("gradient", vec![text]));
            }
            entries.push(("arguments", vec![self.names()]));
        } else if matches!(derived.derivative, Derivative::Gradients | Derivative::ValueAndGradients) {
            let mut pieces = Vec::new();
            while pieces.is_empty() || parts.len() > 0 {
                pieces.push(if pieces.is_empty() { "[" } else { "," }.into());
                pieces.extend(self.by_argument(build, derived, own, &mut parts)?);
            }
            pieces.push("]".into());
            entries.push(("gradients", pieces));
            entries.push(("arguments", vec![self.names()]));
        } else {
            let pieces = self.by_argument(build, derived, own, &mut parts)?;
            entries.push((
                match derived.derivative {
                    Derivative::Vjp => "cotangents",
                    Derivative::Hvp => "product",
                    _ => "gradient",
                },
                pieces,
            ));
            entries.push(("arguments", vec![self.names()]));
        }
        let text = self.unwrapped(build, result)?;
        entries.push(("value", vec![text]));
        Ok(())
    }

    /// A derivative for each argument, from the next parts of a result.
    fn by_argument(
        &mut self,
        build: &mut FuncBuilder,
        derived: &Derived,
        own: &[Operand],
        parts: &mut dyn Iterator<Item = Operand>,
    ) -> Result<Vec<Operand>, Unanswered> {
        let mut pieces = vec!["[".into()];
        for (at, arg) in own.iter().enumerate() {
            if at > 0 {
                pieces.push(",".into());
            }
            pieces.push(match (derived.wrt.get(at), derived.returned.get(at)) {
                (Some(true), Some(true)) => {
                    let part = parts.next();
                    self.writer.text(build, Form::Derivative, arg.clone(), part)?
                }
                (Some(true), _) => self.writer.text(build, Form::Zero, arg.clone(), None)?,
                _ => "null".into(),
            });
        }
        pieces.push("]".into());
        Ok(pieces)
    }

    /// The names of the arguments.
    fn names(&self) -> Operand {
        let names: Vec<String> =
            self.interface.params.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        (&*format!("[{}]", names.join(","))).into()
    }

    /// The type of a function with this interface.
    fn expected(&self) -> Ty {
        let outs = self.interface.params.iter().zip(self.primal.params());
        let outs = outs.filter(|((_, is_out), _)| *is_out).map(|(_, param)| self.primal.ty(*param));
        let has_result = self.interface.result != Ty::unit();
        let all: Vec<Ty> = has_result.then_some(self.interface.result).into_iter().chain(outs).collect();
        match all[..] {
            [] => Ty::unit(),
            [one] => one,
            _ => Ty::tuple(all),
        }
    }

    /// The result of a function, and the last values of its parameters.
    fn split(&self, build: &mut FuncBuilder, value: Var) -> Result<(Operand, Vec<Operand>), Unanswered> {
        let has_result = self.interface.result != Ty::unit();
        Ok(match (has_result, self.interface.outs().len()) {
            (_, 0) => (value.into(), Vec::new()),
            (false, 1) => (Operand::unit(), vec![value.into()]),
            (false, _) => (Operand::unit(), fields(build, value)?),
            (true, _) => {
                let mut parts = fields(build, value)?;
                (if parts.is_empty() { value.into() } else { parts.remove(0) }, parts)
            }
        })
    }

    /// The text of a result; an `Err` is a failure.
    fn unwrapped(&mut self, build: &mut FuncBuilder, result: Operand) -> Result<Operand, Unanswered> {
        let ty = build.ty(&result)?;
        if ty.as_result().is_none() {
            return self.writer.text(build, Form::Value, result, None);
        }
        let (ok, err, rest) = (build.new_block(), build.new_block(), build.new_block());
        let text = build.block_param(rest, Ty::str());
        let case = |value: i128, block| Case { value, target: Target::from(block) };
        build.switch(result.clone(), vec![case(0, ok), case(1, err)], None)?;
        build.switch_to(ok)?;
        let payload = build.op(&ops::PAYLOAD, [result.clone(), 0_i64.into(), 0_i64.into()])?;
        let shown = self.writer.text(build, Form::Value, payload.into(), None)?;
        build.br(rest, [shown])?;
        build.switch_to(err)?;
        let payload = build.op(&ops::PAYLOAD, [result, 1_i64.into(), 0_i64.into()])?;
        let shown = self.writer.text(build, Form::Value, payload.into(), None)?;
        let name = self.called.derived.map_or(self.called.symbol, |derived| derived.of);
        let before = Operand::from(&*format!("`{name}` returned an error: "));
        let message = build.op(&ops::STR_CONCAT, [before, shown])?;
        build.fail(message)?;
        build.switch_to(rest)?;
        Ok(text.into())
    }
}

/// The parts of a tuple; none of other values.
fn fields(build: &mut FuncBuilder, tuple: Var) -> Result<Vec<Operand>, BuildError> {
    fields_of(build, &tuple.into())
}

fn fields_of(build: &mut FuncBuilder, tuple: &Operand) -> Result<Vec<Operand>, BuildError> {
    let TyKind::Tuple(parts) = build.ty(tuple)?.kind() else { return Ok(Vec::new()) };
    (0..parts.len() as i64)
        .map(|number| Ok(build.op(&ops::FIELD, [tuple.clone(), number.into()])?.into()))
        .collect()
}
