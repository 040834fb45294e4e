//! Whether arguments have the shape of an example: the same lengths, and the same values except floats.
//!
//! - SHAPE1 values of a type have the same shape if their words are the same, as `shape_words` lists them.

use hashbrown::HashMap;
use overdub_context::Symbol;
use overdub_context::ir::{
    BuildError, Case, FuncBuilder, IntTy, Module, NominalBody, Operand, Target, Ty, TyKind,
};
use overdub_context::ops;
use overdub_context::value::Value;

use super::Unsupported;
use super::loops::{fail_unless_equal, table};
use super::shape_words::{add_words, has_shape, part_names, shown};

/// What compares arguments with an example.
pub(super) struct SameShape<'m> {
    module: &'m Module,
    /// The names of the functions begin with it.
    prefix: Symbol,
    /// By type; that of words for none.
    made: HashMap<Option<Ty>, Symbol>,
}

/// The position after a word that differs.
const DIFFERENT: usize = usize::MAX;

/// The end of a message.
const FOUND: &str = "for which the sparsity pattern was found";

impl<'m> SameShape<'m> {
    pub(super) fn new(module: &'m Module, prefix: Symbol) -> SameShape<'m> {
        SameShape { module, prefix, made: HashMap::new() }
    }

    /// Fails unless an argument of this name, or a part of one, has the shape of the example.
    pub(super) fn check(
        &mut self,
        build: &mut FuncBuilder,
        (name, x): (&str, Operand),
        example: &Value<'static>,
    ) -> Result<(), Unsupported> {
        let ty = build.ty(&x)?;
        if !has_shape(ty) {
            return Ok(());
        }
        if let (Some(names), Value::Composite(parts)) = (part_names(ty), example) {
            for (number, (part, example)) in (0_i64..).zip(names.iter().zip(parts.parts.iter())) {
                let x = build.op(&ops::FIELD, [x.clone(), number.into()])?;
                self.check(build, (&format!("{name}.{part}"), x.into()), example)?;
            }
            return Ok(());
        }
        let (found, expected, message) = match (ty.kind(), example) {
            (TyKind::Int(_) | TyKind::Bool | TyKind::Char, _) => {
                let expected = build.constant(example.clone(), ty)?;
                (x, expected, format!("`{name}` must be {}, {FOUND}", shown(example)))
            }
            (TyKind::Array(array), Value::Array(elems)) if array.rank == 1 && !has_shape(array.elem) => {
                let len = build.op(&ops::LEN, [x])?;
                let message = format!("`{name}` must have the length {}, {FOUND}", elems.len());
                (len.into(), elems.len().into(), message)
            }
            _ => {
                let mut words = Vec::new();
                add_words(example, ty, &mut words)?;
                let count = words.len();
                let words = table(build, words)?;
                let end = self.after(build, x, &words, 0_usize.into())?;
                let message =
                    format!("`{name}` must have the lengths, and the values except floats, {FOUND}");
                (end, count.into(), message)
            }
        };
        Ok(fail_unless_equal(build, found, expected, &message)?)
    }

    /// The position after the words of a value, the first of which is at `at`.
    fn after(
        &mut self,
        build: &mut FuncBuilder,
        x: Operand,
        words: &Operand,
        at: Operand,
    ) -> Result<Operand, Unsupported> {
        let ty = build.ty(&x)?;
        if !has_shape(ty) {
            return Ok(at);
        }
        match ty.kind() {
            TyKind::Bool => {
                let word = build.op(&ops::SELECT, [x, 1_u64.into(), 0_u64.into()])?;
                self.word(build, word.into(), words, at)
            }
            TyKind::Char => {
                let code = build.op_as(&ops::CAST, [x], Ty::u32())?;
                let word = build.op_as(&ops::CAST, [code], Ty::u64())?;
                self.word(build, word.into(), words, at)
            }
            TyKind::Int(int) => {
                let low = build.op_as(&ops::CAST, [x.clone()], Ty::u64())?;
                let after = self.word(build, low.into(), words, at)?;
                if int.bits() <= 64 {
                    return Ok(after);
                }
                let whole = build.op_as(&ops::CAST, [x], Ty::int(IntTy::U128))?;
                let high = build.op(&ops::SHR_WRAPPING, [Operand::from(whole), 64_u32.into()])?;
                let high = build.op_as(&ops::CAST, [high], Ty::u64())?;
                self.word(build, high.into(), words, after)
            }
            TyKind::Tuple(parts) => {
                let count = parts.len();
                self.after_parts(build, x, count, words, at)
            }
            TyKind::Struct(nominal) => {
                let Some(NominalBody::Struct(fields)) = nominal.body() else {
                    return Err(Unsupported::Shape(ty));
                };
                self.after_parts(build, x, fields.len(), words, at)
            }
            TyKind::Str => {
                let chars = build.op(&ops::STR_CHARS, [x])?;
                self.after(build, chars.into(), words, at)
            }
            TyKind::Array(array) if array.rank == 1 => {
                let callee = self
                    .function(ty, |shapes, inner, x, words, at| shapes.after_elements(inner, x, words, at))?;
                Ok(build.call(callee, [x, words.clone(), at], Ty::usize())?.into())
            }
            TyKind::Enum(_) => {
                let callee = self.function(ty, |shapes, inner, x, words, at| {
                    shapes.after_variant(inner, (x, ty), words, at)
                })?;
                Ok(build.call(callee, [x, words.clone(), at], Ty::usize())?.into())
            }
            _ => Err(Unsupported::Shape(ty)),
        }
    }

    fn after_parts(
        &mut self,
        build: &mut FuncBuilder,
        x: Operand,
        count: usize,
        words: &Operand,
        mut at: Operand,
    ) -> Result<Operand, Unsupported> {
        for number in 0..count as i64 {
            let part = build.op(&ops::FIELD, [x.clone(), number.into()])?;
            at = self.after(build, part.into(), words, at)?;
        }
        Ok(at)
    }

    fn after_elements(
        &mut self,
        build: &mut FuncBuilder,
        x: Operand,
        words: &Operand,
        at: Operand,
    ) -> Result<Operand, Unsupported> {
        let len = build.op(&ops::LEN, [x.clone()])?;
        let word = build.op_as(&ops::CAST, [len], Ty::u64())?;
        let at = self.word(build, word.into(), words, at)?;
        let has_elements = build.ty(&x)?.as_array().is_some_and(|array| has_shape(array.elem));
        if !has_elements {
            return Ok(at);
        }
        let [head, body, done] = [(); 3].map(|()| build.new_block());
        let [i, here] = [(); 2].map(|()| build.block_param(head, Ty::usize()));
        build.br(head, [0_usize.into(), at])?;
        build.switch_to(head)?;
        let more = build.op(&ops::LT, [i, len])?;
        build.br_if(more, Target::from(body), Target::from(done))?;
        build.switch_to(body)?;
        let elem = build.op(&ops::GET_UNCHECKED, [x, i.into()])?;
        let after = self.after(build, elem.into(), words, here.into())?;
        let following = build.op(&ops::ADD_WRAPPING, [Operand::from(i), 1_usize.into()])?;
        build.br(head, [following.into(), after])?;
        build.switch_to(done)?;
        Ok(here.into())
    }

    fn after_variant(
        &mut self,
        build: &mut FuncBuilder,
        (x, ty): (Operand, Ty),
        words: &Operand,
        at: Operand,
    ) -> Result<Operand, Unsupported> {
        let variants = ty.as_nominal().and_then(|nominal| nominal.variants());
        let variants = variants.ok_or(Unsupported::Shape(ty))?;
        let blocks: Vec<_> = variants.iter().map(|_| build.new_block()).collect();
        let rest = build.new_block();
        let end = build.block_param(rest, Ty::usize());
        let cases = (0..).zip(&blocks).map(|(value, block)| Case { value, target: Target::from(*block) });
        build.switch(x.clone(), cases.collect(), None)?;
        for (tag, (variant, block)) in (0_i64..).zip(variants.iter().zip(blocks)) {
            build.switch_to(block)?;
            let mut here = self.word(build, (tag as u64).into(), words, at.clone())?;
            for (number, field) in (0_i64..).zip(&variant.fields) {
                if has_shape(field.ty) {
                    let part = build.op(&ops::PAYLOAD, [x.clone(), tag.into(), number.into()])?;
                    here = self.after(build, part.into(), words, here)?;
                }
            }
            build.br(rest, [here])?;
        }
        build.switch_to(rest)?;
        Ok(end.into())
    }

    /// The position after a word, which must be the one at `at`.
    fn word(
        &mut self,
        build: &mut FuncBuilder,
        word: Operand,
        words: &Operand,
        at: Operand,
    ) -> Result<Operand, Unsupported> {
        let name = match self.made.get(&None) {
            Some(known) => *known,
            None => {
                let name = Symbol::new(&format!("{}::after_word", self.prefix));
                self.made.insert(None, name);
                self.module.define(after_word(name)?);
                name
            }
        };
        Ok(build.call(name, [word, words.clone(), at], Ty::usize())?.into())
    }

    /// The function for a type, which is defined when it is first needed.
    fn function(
        &mut self,
        ty: Ty,
        body: impl FnOnce(&mut Self, &mut FuncBuilder, Operand, &Operand, Operand) -> Result<Operand, Unsupported>,
    ) -> Result<Symbol, Unsupported> {
        if let Some(known) = self.made.get(&Some(ty)) {
            return Ok(*known);
        }
        let name = Symbol::new(&format!("{}{}::after_shape", self.prefix, self.made.len()));
        self.made.insert(Some(ty), name);
        let mut build = FuncBuilder::new(name, Ty::usize());
        let x = build.param("x", ty).into();
        let words = build.param("words", Ty::array(Ty::u64(), 1)).into();
        let at = build.param("at", Ty::usize()).into();
        let end = body(self, &mut build, x, &words, at)?;
        build.ret(end)?;
        self.module.define(build.finish()?);
        Ok(name)
    }
}

/// The function that compares a word.
fn after_word(name: Symbol) -> Result<overdub_context::ir::Func, BuildError> {
    let mut build = FuncBuilder::new(name, Ty::usize());
    let word = build.param("word", Ty::u64());
    let words = build.param("words", Ty::array(Ty::u64(), 1));
    let at = build.param("at", Ty::usize());
    let [inside, outside] = [(); 2].map(|()| build.new_block());
    let len = build.op(&ops::LEN, [words])?;
    let is_inside = build.op(&ops::LT, [at, len])?;
    build.br_if(is_inside, Target::from(inside), Target::from(outside))?;
    build.switch_to(inside)?;
    let expected = build.op(&ops::GET_UNCHECKED, [words, at])?;
    let is_same = build.op(&ops::EQ, [word, expected])?;
    let following = build.op(&ops::ADD_WRAPPING, [Operand::from(at), 1_usize.into()])?;
    let after = build.op(&ops::SELECT, [Operand::from(is_same), following.into(), DIFFERENT.into()])?;
    build.ret(after)?;
    build.switch_to(outside)?;
    build.ret(DIFFERENT)?;
    build.finish()
}
