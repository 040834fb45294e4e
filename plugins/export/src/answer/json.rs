//! Values and derivatives as JSON: a function of the IR for each type that has parts.

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::ir::{
    BuildError, Case, Field, Func, FuncBuilder, Module, NominalBody, Operand, Target, Ty, TyKind, VariantTy,
};
use overdub_context::ops;

use super::{Unanswered, scalars};

/// What is written of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Form {
    /// The value.
    Value,
    /// A derivative in the shape of the value, with null in place of all but floats.
    Derivative,
    /// A derivative that is zero.
    Zero,
}

/// Defines functions that return the JSON of values.
pub(super) struct Writer<'m> {
    module: &'m Module,
    prefix: String,
    /// By the type of the value, the form, and the type of the derivative.
    defined: HashMap<(Ty, Form, Ty), Symbol>,
}

type Piece = Result<Operand, Unanswered>;

/// A part of a value, and its derivative.
type Part = Result<(Operand, Option<Operand>), BuildError>;

impl<'m> Writer<'m> {
    pub(super) fn new(module: &'m Module, prefix: &str) -> Writer<'m> {
        Writer { module, prefix: prefix.to_owned(), defined: HashMap::new() }
    }

    /// The functions so far.
    pub(super) fn defined(&self) -> impl Iterator<Item = Symbol> {
        self.defined.values().copied()
    }

    /// The JSON of a value, or of its derivative `dx`.
    pub(super) fn text(
        &mut self,
        build: &mut FuncBuilder,
        form: Form,
        x: Operand,
        dx: Option<Operand>,
    ) -> Piece {
        let ty = build.ty(&x)?;
        let dty = dx.as_ref().map_or(Ok(Ty::unit()), |dx| build.ty(dx))?;
        // What holds no floats has no derivative.
        let (form, dx) = match (form, dx) {
            (Form::Derivative, Some(dx)) if dty != Ty::unit() => (form, Some(dx)),
            (Form::Derivative, _) => (Form::Zero, None),
            _ => (form, None),
        };
        let callee = match (ty.kind(), form) {
            (TyKind::Float(_), Form::Zero) => return Ok("0.0".into()),
            (TyKind::Float(_), Form::Derivative) => return self.scalar(build, dx.unwrap_or(x)),
            (TyKind::Array(array), _) if array.rank == 1 => self.function(ty, form, dty)?,
            (TyKind::Tuple(_) | TyKind::Struct(_) | TyKind::Enum(_), _) => self.function(ty, form, dty)?,
            (TyKind::Array(_) | TyKind::Stack(_) | TyKind::Ref(_), _) => return Err(Unanswered::Type(ty)),
            (_, Form::Value) => return self.scalar(build, x),
            _ => return Ok("null".into()),
        };
        Ok(build.call(callee, [Some(x), dx].into_iter().flatten(), Ty::str())?.into())
    }

    /// The JSON of a value without parts.
    fn scalar(&mut self, build: &mut FuncBuilder, x: Operand) -> Piece {
        let ty = build.ty(&x)?;
        Ok(match ty.kind() {
            TyKind::Unit | TyKind::Never => "null".into(),
            TyKind::Bool => build.op(&ops::SELECT, [x, "true".into(), "false".into()])?.into(),
            TyKind::Int(_) => build.op(&ops::FMT_INT, [x, 10_i64.into()])?.into(),
            TyKind::Char => {
                let text = build.op(&ops::STR_PUSH, ["".into(), x])?;
                build.call(self.escaping()?, [text], Ty::str())?.into()
            }
            TyKind::Str => build.call(self.escaping()?, [x], Ty::str())?.into(),
            TyKind::Float(_) => {
                let key = (ty, Form::Value, Ty::unit());
                let callee = match self.defined.get(&key) {
                    Some(known) => *known,
                    None => {
                        let name = self.name(key, &format!("json_{ty}"));
                        self.module.define(scalars::float(name, ty)?);
                        name
                    }
                };
                build.call(callee, [x], Ty::str())?.into()
            }
            TyKind::Closure(_) | TyKind::Fn(_) => "\"<function>\"".into(),
            _ => return Err(Unanswered::Type(ty)),
        })
    }

    /// The function that escapes a text.
    fn escaping(&mut self) -> Result<Symbol, BuildError> {
        let key = (Ty::str(), Form::Value, Ty::unit());
        if let Some(known) = self.defined.get(&key) {
            return Ok(*known);
        }
        let name = self.name(key, "json_text");
        self.module.define(scalars::text(name)?);
        Ok(name)
    }

    /// The name of the function that lists the entries of matrices.
    pub(super) fn listing(&mut self, wanted: &str) -> Symbol {
        self.name((Ty::unit(), Form::Value, Ty::unit()), wanted)
    }

    /// Adds a function to the module.
    pub(super) fn define(&self, func: Func) {
        self.module.define(func);
    }

    fn name(&mut self, key: (Ty, Form, Ty), wanted: &str) -> Symbol {
        let is_taken = |name: &Symbol| self.defined.values().any(|known| known == name);
        let numbered = |n: usize| match n {
            0 => Symbol::new(&format!("{}{wanted}", self.prefix)),
            _ => Symbol::new(&format!("{}{wanted}{n}", self.prefix)),
        };
        let name = (0..).map(numbered).find(|name| !is_taken(name)).expect("numbers do not end");
        self.defined.insert(key, name);
        name
    }

    /// The function that returns the JSON of a value with parts.
    fn function(&mut self, ty: Ty, form: Form, dty: Ty) -> Result<Symbol, Unanswered> {
        let key = (ty, form, dty);
        if let Some(known) = self.defined.get(&key) {
            return Ok(*known);
        }
        let start = match form {
            Form::Value => "json",
            Form::Derivative => "json_derivative",
            Form::Zero => "json_zero",
        };
        let name = self.name(key, &format!("{start}_{}", words(ty)));
        let mut build = FuncBuilder::new(name, Ty::str());
        let x: Operand = build.param("x", ty).into();
        let dx = (form == Form::Derivative).then(|| Operand::from(build.param("dx", dty)));
        let text = match ty.kind() {
            TyKind::Array(_) => self.list(&mut build, form, (x, dx))?,
            TyKind::Tuple(parts) => {
                let names: Vec<_> = (0..parts.len()).map(|number| number.to_string()).collect();
                self.parts(&mut build, form, &names, &|build, number| parts_of(build, &x, &dx, number))?
            }
            TyKind::Struct(nominal) => {
                let Some(NominalBody::Struct(fields)) = nominal.body() else {
                    return Err(Unanswered::Type(ty));
                };
                let names = names(fields);
                self.parts(&mut build, form, &names, &|build, number| parts_of(build, &x, &dx, number))?
            }
            TyKind::Enum(nominal) => {
                let variants = nominal.variants().ok_or(Unanswered::Type(ty))?;
                let is_option = ty.as_option().is_some();
                self.variants(&mut build, form, (x, dx), variants, is_option)?
            }
            _ => return Err(Unanswered::Type(ty)),
        };
        build.ret(text)?;
        self.module.define(build.finish()?);
        Ok(name)
    }

    fn list(&mut self, build: &mut FuncBuilder, form: Form, (x, dx): (Operand, Option<Operand>)) -> Piece {
        let len = build.op(&ops::LEN, [x.clone()])?;
        let [head, body, done] = [(); 3].map(|()| build.new_block());
        let (i, text) = (build.block_param(head, Ty::usize()), build.block_param(head, Ty::str()));
        build.br(head, [Operand::from(0_usize), "[".into()])?;
        build.switch_to(head)?;
        let more = build.op(&ops::LT, [i, len])?;
        build.br_if(more, Target::from(body), Target::from(done))?;
        build.switch_to(body)?;
        let is_first = build.op(&ops::EQ, [Operand::from(i), 0_usize.into()])?;
        let comma = build.op(&ops::SELECT, [is_first.into(), Operand::from(""), ",".into()])?;
        let mut longer = build.op(&ops::STR_CONCAT, [text, comma])?;
        let mut elem = |of: Operand| build.op(&ops::GET_UNCHECKED, [of, i.into()]).map(Operand::from);
        let (x, dx) = (elem(x)?, dx.map(&mut elem).transpose()?);
        let piece = self.text(build, form, x, dx)?;
        longer = build.op(&ops::STR_CONCAT, [longer.into(), piece])?;
        let next = build.op(&ops::ADD_WRAPPING, [Operand::from(i), 1_usize.into()])?;
        build.br(head, [next, longer])?;
        build.switch_to(done)?;
        Ok(build.op(&ops::STR_CONCAT, [Operand::from(text), "]".into()])?.into())
    }

    /// The parts of a composite value: a list if their names are numbers, otherwise an object.
    fn parts(
        &mut self,
        build: &mut FuncBuilder,
        form: Form,
        names: &[String],
        part: &dyn Fn(&mut FuncBuilder, usize) -> Part,
    ) -> Piece {
        let is_list = names.first().is_some_and(|name| name.starts_with(|c: char| c.is_ascii_digit()));
        let mut order: Vec<usize> = (0..names.len()).collect();
        if !is_list {
            order.sort_by_key(|number| &names[*number]);
        }
        let parts = order.iter().map(|number| part(build, *number)).collect::<Result<Vec<_>, _>>()?;
        let mut text = Texts::new(if is_list { "[" } else { "{" });
        for (position, (number, (x, dx))) in order.into_iter().zip(parts).enumerate() {
            if position > 0 {
                text.literal(",");
            }
            if !is_list {
                text.literal(&format!("\"{}\":", names[number]));
            }
            let piece = self.text(build, form, x, dx)?;
            text.add(build, piece)?;
        }
        text.literal(if is_list { "]" } else { "}" });
        Ok(text.whole(build)?)
    }

    fn variants(
        &mut self,
        build: &mut FuncBuilder,
        form: Form,
        (x, dx): (Operand, Option<Operand>),
        variants: &[VariantTy],
        is_option: bool,
    ) -> Piece {
        let blocks: Vec<_> = variants.iter().map(|_| build.new_block()).collect();
        let rest = build.new_block();
        let text = build.block_param(rest, Ty::str());
        let cases = (0..).zip(&blocks).map(|(value, block)| Case { value, target: Target::from(*block) });
        build.switch(x.clone(), cases.collect(), None)?;
        for (tag, (variant, block)) in (0..).zip(variants.iter().zip(blocks)) {
            build.switch_to(block)?;
            // The first variant of an enum of cotangents is zero.
            let forms = match &dx {
                None => vec![(form, None)],
                Some(dx) => {
                    let [given, zero] = [(); 2].map(|()| build.new_block());
                    let case = Case { value: tag + 1, target: Target::from(given) };
                    build.switch(dx.clone(), vec![case], Some(Target::from(zero)))?;
                    vec![(Form::Derivative, Some(given)), (Form::Zero, Some(zero))]
                }
            };
            for (form, block) in forms {
                if let Some(block) = block {
                    build.switch_to(block)?;
                }
                let dx = dx.clone().filter(|_| form == Form::Derivative);
                let piece = self.variant(build, form, (&x, &dx), (tag as i64, variant), is_option)?;
                build.br(rest, [piece])?;
            }
        }
        build.switch_to(rest)?;
        Ok(text.into())
    }

    /// The JSON of a value that is known to be of this variant.
    fn variant(
        &mut self,
        build: &mut FuncBuilder,
        form: Form,
        (x, dx): (&Operand, &Option<Operand>),
        (tag, variant): (i64, &VariantTy),
        is_option: bool,
    ) -> Piece {
        let payload = |build: &mut FuncBuilder, number: usize| -> Result<_, BuildError> {
            let ty = variant.fields[number].ty;
            let number = Operand::from(number as i64);
            // The derivative of a value without parts is written without the value.
            let part = match form {
                Form::Derivative | Form::Zero if is_float(ty) => Operand::from(0.0),
                Form::Derivative | Form::Zero if ty.parts_of_values().is_empty() => Operand::unit(),
                _ => build.op(&ops::PAYLOAD, [x.clone(), tag.into(), number.clone()])?.into(),
            };
            let derivative =
                dx.as_ref().map(|dx| build.op(&ops::PAYLOAD, [dx.clone(), (tag + 1).into(), number]));
            Ok((part, derivative.transpose()?.map(Operand::from)))
        };
        let inner = match &variant.fields[..] {
            [] if is_option || form != Form::Value => return Ok("null".into()),
            [] => return Ok((&*format!("\"{}\"", variant.name)).into()),
            [field] if field.name.as_str() == "0" => {
                let (x, dx) = payload(build, 0)?;
                self.text(build, form, x, dx)?
            }
            fields => self.parts(build, form, &names(fields), &payload)?,
        };
        if is_option {
            return Ok(inner);
        }
        let mut text = Texts::new(&format!("{{\"{}\":", variant.name));
        text.add(build, inner)?;
        text.literal("}");
        Ok(text.whole(build)?)
    }
}

fn names(fields: &[Field]) -> Vec<String> {
    fields.iter().map(|field| field.name.to_string()).collect()
}

/// A part of a tuple or struct, and its derivative.
fn parts_of(
    build: &mut FuncBuilder,
    x: &Operand,
    dx: &Option<Operand>,
    number: usize,
) -> Result<(Operand, Option<Operand>), BuildError> {
    let mut part =
        |of: &Operand| build.op(&ops::FIELD, [of.clone(), (number as i64).into()]).map(Operand::from);
    Ok((part(x)?, dx.as_ref().map(part).transpose()?))
}

fn is_float(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Float(_))
}

/// A type in words: `vec_of_f64`.
fn words(ty: Ty) -> String {
    match ty.kind() {
        TyKind::Array(array) => format!("list_of_{}", words(array.elem)),
        TyKind::Tuple(parts) => format!("tuple_of_{}", parts.len()),
        TyKind::Struct(nominal) | TyKind::Enum(nominal) => {
            let name = nominal.name();
            let last = name.split('<').next().unwrap_or_default().rsplit("::").next().unwrap_or_default();
            last.to_lowercase()
        }
        _ => ty.to_string(),
    }
}

/// A text that grows; constant pieces are joined.
pub(super) struct Texts {
    before: Option<Operand>,
    literal: String,
}

impl Texts {
    pub(super) fn new(literal: &str) -> Texts {
        Texts { before: None, literal: literal.to_owned() }
    }

    pub(super) fn literal(&mut self, text: &str) {
        self.literal.push_str(text);
    }

    pub(super) fn add(&mut self, build: &mut FuncBuilder, piece: Operand) -> Result<(), BuildError> {
        if let Operand::Const(constant) = &piece
            && let Some(text) = constant.value().as_str()
        {
            self.literal.push_str(text);
            return Ok(());
        }
        self.flush(build)?;
        let before = self.before.take().unwrap_or_else(|| "".into());
        self.before = Some(build.op(&ops::STR_CONCAT, [before, piece])?.into());
        Ok(())
    }

    fn flush(&mut self, build: &mut FuncBuilder) -> Result<(), BuildError> {
        if self.literal.is_empty() {
            return Ok(());
        }
        let literal = Operand::from(&*std::mem::take(&mut self.literal));
        self.before = Some(match self.before.take() {
            None => literal,
            Some(before) => build.op(&ops::STR_CONCAT, [before, literal])?.into(),
        });
        Ok(())
    }

    pub(super) fn whole(mut self, build: &mut FuncBuilder) -> Result<Operand, BuildError> {
        self.flush(build)?;
        Ok(self.before.unwrap_or_else(|| "".into()))
    }
}
