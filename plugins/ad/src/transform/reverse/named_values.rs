//! Named values of a checkpoint: the function that keeps them, and the function that reads them in place of those computed again.
//!
//! ```text
//! fn @code(%x) {                    fn @keeping(%x) {              fn @reading(%x, %kept) {
//!   %h = sin %x                       %h = sin %x                    %h = sin %x
//!   %n = call @checkpoint_name        %y = mul %h, %h                %k = field %kept, 0
//!          (%h, "hidden")         =>  %kept = tuple %h          and  %n = ad.restored %h, %k
//!   %y = mul %n, %n                   %both = tuple %y, %kept        %y = mul %n, %n
//!   ret %y                            ret %both                      ret %y
//! }                                 }                              }
//! ```
//!
//! - POLICY1 a value that is computed once in each run is kept as it is; any other is kept in an array, one element for each time that
//!   it is computed. The second run takes the same way, so it counts the same elements; it checks the index nevertheless.
//! - POLICY2 the code is inlined first: what stays a call is run again as a whole.
//! - POLICY3 a named value is data. One that refers to a variable could have changed by the second run, and is refused.

use overdub_context::Symbol;
use overdub_context::analysis::Cfg;
use overdub_context::ir::{Block, Func, FuncBuilder, Inst, Operand, Target, TerminatorKind, Ty};
use overdub_context::ops;
use overdub_context::ssa::{SsaBuilder, Variable};

use super::naming_calls::{Site, naming, sites};
use crate::annotations::RESTORED;
use crate::refusal::Cause;

/// A checkpoint's code in two forms.
pub(super) struct NamedValues {
    /// `(args) -> (y, kept)`.
    pub(super) keeping: Func,
    /// `(args, kept) -> y`.
    pub(super) reading: Func,
    /// The type of what is kept: a tuple.
    pub(super) kept: Ty,
}

/// The two forms of a checkpoint's code, in which calls of `checkpoint_name` are not inlined; none if the named values are constants.
pub(super) fn named_values(
    code: &Func,
    names: &[String],
    (keeping, reading): (Symbol, Symbol),
) -> Result<Option<NamedValues>, Cause> {
    let sites = sites(code, names)?;
    if sites.is_empty() {
        return Ok(None);
    }
    let kept = Ty::tuple(sites.iter().map(Site::kept_ty));
    let form = |name: Symbol, form: Form| Copy::new(code, &sites, name, form).all(kept);
    Ok(Some(NamedValues {
        keeping: form(keeping, Form::Keeping)?,
        reading: form(reading, Form::Reading)?,
        kept,
    }))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Keeping,
    Reading,
}

/// A site in a form under construction.
enum Place {
    /// The value, once it is computed; or where it is kept.
    Single(Option<Operand>),
    /// The array so far.
    Array(Variable),
    /// Where the array is kept, and the number of the next element.
    Next(Operand, Variable),
}

/// One of the forms under construction.
struct Copy<'c> {
    code: &'c Func,
    sites: &'c [Site],
    form: Form,
    build: SsaBuilder,
    vars: Vec<Option<Operand>>,
    blocks: Vec<Option<Block>>,
    /// As many as there are sites.
    places: Vec<Place>,
}

impl<'c> Copy<'c> {
    fn new(code: &'c Func, sites: &'c [Site], name: Symbol, form: Form) -> Copy<'c> {
        let mut build = SsaBuilder::new(FuncBuilder::new(name, code.ret));
        build.set_func_span(code.span);
        let (vars, blocks) = (vec![None; code.vars.len()], vec![None; code.blocks.len()]);
        Copy { code, sites, form, build, vars, blocks, places: Vec::new() }
    }

    fn all(mut self, kept: Ty) -> Result<Func, Cause> {
        let code = self.code;
        self.blocks[Block::ENTRY.index()] = Some(Block::ENTRY);
        for param in code.params() {
            let new = self.build.param(&code.var_label(*param).to_string(), code.ty(*param));
            self.vars[param.index()] = Some(new.into());
        }
        match self.form {
            Form::Keeping => {
                let both = Ty::tuple([code.ret, kept]);
                self.build.set_ret(both);
                for site in self.sites {
                    self.begin_keeping(site)?;
                }
            }
            Form::Reading => {
                let kept = self.build.param("kept", kept);
                for (k, site) in (0_i64..).zip(self.sites) {
                    self.begin_reading(site, k, kept.into())?;
                }
            }
        }
        for &block in Cfg::new(code).reverse_postorder() {
            let new = self.block_of(block);
            if block != Block::ENTRY {
                self.build.switch_to(new)?;
            }
            for inst in &code.block(block).insts {
                self.build.set_span(inst.span);
                let result = self.inst(inst)?;
                self.vars[inst.result.index()] = Some(result);
            }
            self.terminate(block)?;
        }
        Ok(self.build.finish()?)
    }

    fn begin_keeping(&mut self, site: &Site) -> Result<(), Cause> {
        let place = if site.is_single {
            Place::Single(None)
        } else {
            let ty = site.kept_ty();
            let array = self.build.declare_variable(ty, Some("kept"));
            let empty = self.build.op_as(&ops::ARRAY, [] as [Operand; 0], ty)?;
            self.build.write_variable(array, empty)?;
            Place::Array(array)
        };
        self.places.push(place);
        Ok(())
    }

    fn begin_reading(&mut self, site: &Site, k: i64, kept: Operand) -> Result<(), Cause> {
        let of_site: Operand = self.build.op(&ops::FIELD, [kept, k.into()])?.into();
        let place = if site.is_single {
            Place::Single(Some(of_site))
        } else {
            let next = self.build.declare_variable(Ty::usize(), Some("next"));
            self.build.write_variable(next, 0_usize)?;
            Place::Next(of_site, next)
        };
        self.places.push(place);
        Ok(())
    }

    fn inst(&mut self, inst: &Inst) -> Result<Operand, Cause> {
        if let Some((value, _)) = naming(inst) {
            let value = self.mapped(value);
            return match self.sites.iter().position(|site| site.result == inst.result) {
                Some(at) => self.named(at, value),
                None => Ok(value),
            };
        }
        let mut kind = inst.kind.clone();
        kind.operands_mut().for_each(|operand| *operand = self.mapped(operand));
        let result = self.build.inst(kind, self.code.ty(inst.result))?;
        if let Some(name) = self.code.vars[inst.result.index()].name {
            self.build.name_var(result, &name);
        }
        Ok(result.into())
    }

    /// What a value to be kept is in this form.
    fn named(&mut self, at: usize, value: Operand) -> Result<Operand, Cause> {
        let kept = match &mut self.places[at] {
            Place::Single(place) => match self.form {
                Form::Keeping => {
                    *place = Some(value.clone());
                    return Ok(value);
                }
                Form::Reading => place.clone().expect("POLICY1: it is read before it is used"),
            },
            Place::Array(array) => {
                let array = *array;
                let before = self.build.read_variable(array)?;
                let after = self.build.op(&ops::PUSH, [before, value.clone()])?;
                self.build.write_variable(array, after)?;
                return Ok(value);
            }
            Place::Next(array, next) => {
                let (array, next) = (array.clone(), *next);
                let k = self.build.read_variable(next)?;
                let after = self.build.op(&ops::ADD_WRAPPING, [k.clone(), 1_usize.into()])?;
                self.build.write_variable(next, after)?;
                self.build.op(&ops::GET, [array, k])?.into()
            }
        };
        Ok(self.build.op(&RESTORED, [value, kept])?.into())
    }

    fn terminate(&mut self, block: Block) -> Result<(), Cause> {
        let end = self.code.terminator(block);
        self.build.set_span(end.span);
        let mut kind = end.kind.clone();
        if let Some(operand) = kind.operand_mut() {
            *operand = self.mapped(operand);
        }
        if let (TerminatorKind::Ret(y), Form::Keeping) = (&mut kind, self.form) {
            let mut parts = Vec::new();
            for at in 0..self.places.len() {
                parts.push(match &self.places[at] {
                    Place::Single(value) => {
                        value.clone().expect("POLICY1: it is computed before each return")
                    }
                    Place::Array(array) | Place::Next(_, array) => self.build.read_variable(*array)?,
                });
            }
            let kept = self.build.op(&ops::TUPLE, parts)?;
            *y = self.build.op(&ops::TUPLE, [y.clone(), kept.into()])?.into();
        }
        for target in kind.targets_mut() {
            let args = target.args.iter().map(|arg| self.mapped(arg)).collect();
            *target = Target { block: self.block_of(target.block), args };
        }
        Ok(self.build.terminate(kind)?)
    }

    fn block_of(&mut self, block: Block) -> Block {
        if let Some(new) = self.blocks[block.index()] {
            return new;
        }
        let new = self.build.new_block();
        self.blocks[block.index()] = Some(new);
        for param in &self.code.block(block).params {
            let value = self.build.block_param(new, self.code.ty(*param));
            self.vars[param.index()] = Some(value.into());
        }
        new
    }

    fn mapped(&self, operand: &Operand) -> Operand {
        match operand.var() {
            Some(var) => self.vars[var.index()].clone().expect("V1: a definition dominates its uses"),
            None => operand.clone(),
        }
    }
}
