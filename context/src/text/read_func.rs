//! The parser from tokens to syntax: functions, their blocks, instructions and terminators, line by line.

use super::error::{ByteRange, Faults, ParseErrorKind};
use super::lex::Tok;
use super::read::TokenParser;
use super::syntax::{
    At, BlockSyntax, Broken, CalleeSyntax, FuncSyntax, InstBody, InstSyntax, Name, OperandSyntax,
    TargetSyntax, TerminatorBody, TerminatorSyntax, TypeSyntax,
};
use crate::Span;

/// The words that start a terminator.
const TERMINATORS: &[&str] = &["br", "br_if", "switch", "ret", "fail"];

impl<'t> TokenParser<'t, '_> {
    /// Reads a function: `fn @f(%x: T) -> T { … }`.
    pub(super) fn func(&mut self) -> Option<FuncSyntax<'t>> {
        self.bump();
        let name = self.func_name()?;
        self.expect('(')?;
        let params = self.list(')', Self::param)?;
        if self.peek().tok != Tok::Arrow {
            let help = "a function that returns nothing returns `unit`".to_owned();
            return self.unexpected_with_help("`->`", Some(help));
        }
        self.bump();
        let ret = self.ty()?;
        let span = self.span()?;
        self.expect('{')?;
        let entry = BlockSyntax {
            name: None,
            params,
            insts: Vec::new(),
            terminator: None,
            end: self.last_place(),
            broken: false,
        };
        let mut func = FuncSyntax { name, ret, span, blocks: vec![entry], broken: Vec::new() };
        self.body(&mut func);
        Some(func)
    }

    fn param(&mut self) -> Option<(Name, TypeSyntax)> {
        let name = self.var_name("a parameter like `%x: f64`")?;
        self.expect(':')?;
        Some((name, self.ty()?))
    }

    fn body(&mut self, func: &mut FuncSyntax<'t>) {
        while !self.faults.is_full() {
            let token = self.peek().clone();
            if token.tok == Tok::End || self.at_item() {
                let (at, found) = match token.tok {
                    Tok::End => (self.last_place().after(), "the end of the text".to_owned()),
                    _ => (token.at, format!("`{}`", self.faults.source.slice(token.at))),
                };
                let expected = format!("`}}` at the end of `@{}`", func.name.node);
                self.faults.push(at, ParseErrorKind::Unexpected { expected, found });
                return;
            }
            if self.eat('}') {
                return;
            }
            let first = token.tok;
            if self.line(func, &first).is_none() {
                func.broken.extend(match first {
                    Tok::Var(name) => Some(Broken::Var(name)),
                    Tok::Block(name) => Some(Broken::Block(name)),
                    _ => None,
                });
                if let Some(block) = func.blocks.last_mut() {
                    block.broken = true;
                }
                self.skip_rest();
            }
        }
    }

    /// Skips the rest of a malformed line; its first token is already read.
    fn skip_rest(&mut self) {
        if !self.peek().first {
            self.skip_line();
        }
    }

    fn line(&mut self, func: &mut FuncSyntax<'t>, first: &Tok<'t>) -> Option<()> {
        match first {
            Tok::Block(_) => {
                func.blocks.push(self.label()?);
                return Some(());
            }
            Tok::Var(_) => {
                let inst = self.inst()?;
                let block = func.blocks.last_mut()?;
                end_once(block, inst.at, self.faults);
                block.end = inst.at;
                block.insts.push(inst);
            }
            Tok::Word(word) if TERMINATORS.contains(word) => {
                let terminator = self.terminator()?;
                let block = func.blocks.last_mut()?;
                end_once(block, terminator.at, self.faults);
                block.end = terminator.at;
                block.terminator = Some(terminator);
            }
            _ => {
                let help = match first {
                    Tok::Word(word) => Some(format!("an instruction defines a value: `%x: _ = {word} …`")),
                    _ => None,
                };
                let token = self.peek().clone();
                if token.tok != Tok::Bad {
                    let found = format!("`{}`", self.faults.source.slice(token.at));
                    let expected = "an instruction, a terminator, a block or `}`".to_owned();
                    let kind = ParseErrorKind::Unexpected { expected, found };
                    self.faults.push_with_help(token.at, kind, help);
                }
                self.bump();
                return None;
            }
        }
        if self.in_line() && !self.at('}') { self.unexpected("the end of the line") } else { Some(()) }
    }

    /// Reads a block label: `^b(%x: T):`.
    fn label(&mut self) -> Option<BlockSyntax<'t>> {
        let name = self.block_name()?;
        let params = if self.eat('(') { self.list(')', Self::param)? } else { Vec::new() };
        self.expect(':')?;
        Some(BlockSyntax {
            name: Some(name),
            params,
            insts: Vec::new(),
            terminator: None,
            end: name.at.to(self.last_place()),
            broken: false,
        })
    }

    fn block_name(&mut self) -> Option<Name> {
        let Tok::Block(name) = self.peek().tok else { return self.unexpected("a block like `^done`") };
        Some(At { node: name, at: self.bump().at })
    }

    fn inst(&mut self) -> Option<InstSyntax<'t>> {
        let result = self.var_name("a value")?;
        if self.at('=') {
            let help = format!("write `%{}: _ =` where the type follows", result.node);
            return self.unexpected_with_help("`:` and a type", Some(help));
        }
        self.expect(':')?;
        let ty = self.ty()?;
        self.expect('=')?;
        let body = self.inst_body()?;
        let at = result.at.to(self.last_place());
        Some(InstSyntax { result, ty, body, at, span: self.span()? })
    }

    fn inst_body(&mut self) -> Option<InstBody<'t>> {
        let Tok::Word(word) = self.peek().tok else {
            let help = matches!(self.peek().tok, Tok::Number(..) | Tok::Str(_) | Tok::Punct('['))
                .then(|| "a constant is written `const …`".to_owned());
            return self.unexpected_with_help("an operation", help);
        };
        if !self.in_line() {
            return self.unexpected("an operation");
        }
        let at = self.bump().at;
        Some(match word {
            "const" => InstBody::Const(self.literal()?),
            "call" => {
                let (callee, args) = self.call()?;
                InstBody::Call(callee, args)
            }
            "overdub" => {
                let (callee, args) = self.call()?;
                InstBody::Overdub(callee, args)
            }
            _ => InstBody::Op(At { node: crate::Symbol::new(word), at }, self.operands()?),
        })
    }

    /// Reads the operands of an operation, up to the end of the line.
    fn operands(&mut self) -> Option<Vec<OperandSyntax<'t>>> {
        let mut operands = Vec::new();
        if !self.in_line() || self.at('!') || self.at('}') {
            return Some(operands);
        }
        loop {
            operands.push(self.operand()?);
            if !self.eat(',') {
                return Some(operands);
            }
        }
    }

    /// Reads a call: `@f(…)`, `%f(…)`.
    fn call(&mut self) -> Option<(CalleeSyntax, Vec<OperandSyntax<'t>>)> {
        let callee = match self.peek().tok {
            Tok::Func(_) => CalleeSyntax::Func(self.func_name()?),
            Tok::Var(_) => CalleeSyntax::Value(self.var_name("a value")?),
            _ => return self.unexpected("a function `@f` or a value `%f`"),
        };
        self.expect('(')?;
        Some((callee, self.list(')', Self::operand)?))
    }

    fn terminator(&mut self) -> Option<At<TerminatorSyntax<'t>>> {
        let start = self.bump();
        let kind = match start.tok {
            Tok::Word("br") => TerminatorBody::Br(self.target()?),
            Tok::Word("br_if") => {
                let cond = self.operand()?;
                self.expect(',')?;
                let then = self.target()?;
                self.expect(',')?;
                TerminatorBody::BrIf(cond, then, self.target()?)
            }
            Tok::Word("switch") => self.switch()?,
            Tok::Word("ret") if !self.in_line() || self.at('}') => {
                let help = "nothing is returned as `ret ()`".to_owned();
                return self.unexpected_with_help("an operand", Some(help));
            }
            Tok::Word("ret") => TerminatorBody::Ret(self.operand()?),
            _ => TerminatorBody::Fail(self.operand()?),
        };
        let at = start.at.to(self.last_place());
        Some(At { node: TerminatorSyntax { kind, span: self.span()? }, at })
    }

    fn switch(&mut self) -> Option<TerminatorBody<'t>> {
        let on = self.operand()?;
        let mut cases = Vec::new();
        while self.eat(',') {
            if self.at_word("else") {
                self.bump();
                return Some(TerminatorBody::Switch(on, cases, Some(self.target()?)));
            }
            let value = self.small_number("a case like `0: ^a`, or `else ^b`")?;
            self.expect(':')?;
            cases.push((value, self.target()?));
        }
        Some(TerminatorBody::Switch(on, cases, None))
    }

    fn target(&mut self) -> Option<TargetSyntax<'t>> {
        let block = self.block_name()?;
        let args = if self.eat('(') { self.list(')', Self::operand)? } else { Vec::new() };
        Some(TargetSyntax { block, args })
    }

    /// Reads a source location, if there is one: `!"file":line:column:len` or `!_`, optionally followed by
    /// `in @f` and the location of the call of `@f` for which it was inlined.
    fn span(&mut self) -> Option<Option<Span>> {
        if !self.eat('!') {
            return Some(None);
        }
        // The text is ordered from the inside out, the span is constructed from the outside in.
        let mut inner = Vec::new();
        let mut span = self.bare_span()?;
        while self.in_line() && self.at_word("in") {
            self.bump();
            inner.push((span, self.func_name()?.node));
            self.expect('!')?;
            span = self.bare_span()?;
        }
        Some(Some(inner.into_iter().rev().fold(span, |call, (span, func)| span.inlined_for(func, call))))
    }

    fn bare_span(&mut self) -> Option<Span> {
        if self.at_word("_") {
            self.bump();
            return Some(Span::unknown());
        }
        let Tok::Str(file) = &self.peek().tok else { return self.unexpected("a file's name or `_`") };
        let file = crate::Symbol::new(file);
        self.bump();
        self.expect(':')?;
        let line = self.small_number("a line")?;
        self.expect(':')?;
        let column = self.small_number("a column")?;
        self.expect(':')?;
        let len = self.small_number("a length")?;
        Some(Span::new(file, line, column, len))
    }
}

/// Reports the first line of a block after its terminator.
fn end_once(block: &mut BlockSyntax<'_>, at: ByteRange, faults: &mut Faults<'_>) {
    if block.terminator.is_some() && !block.broken {
        faults.push(at, ParseErrorKind::AfterTerminator);
        block.broken = true;
    }
}
