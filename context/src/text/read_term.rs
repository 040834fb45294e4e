//! The parser from tokens to syntax: types, literals and operands.

use super::error::ParseErrorKind;
use super::lex::Tok;
use super::read::TokenParser;
use super::syntax::{
    At, FieldsSyntax, FloatSyntax, Literal, LiteralKind, Name, OperandSyntax, TypeKind, TypeSyntax,
};
use crate::Symbol;
use crate::ir::{FloatTy, IntTy};

impl<'t> TokenParser<'t, '_> {
    pub(super) fn ty(&mut self) -> Option<TypeSyntax> {
        self.nested(|reader| {
            let start = reader.peek().at;
            let node = reader.type_kind()?;
            Some(At { node, at: start.to(reader.last_place()) })
        })
    }

    fn type_kind(&mut self) -> Option<TypeKind> {
        let word = match &self.peek().tok {
            Tok::Word(word) => *word,
            Tok::Str(_) => return self.named_type(),
            Tok::Punct('(') => return self.tuple_type(),
            Tok::Punct('[') => return self.array_type(),
            _ => return self.unexpected("a type"),
        };
        match word {
            "_" => {
                self.bump();
                Some(TypeKind::Infer)
            }
            "fn" => {
                self.bump();
                self.expect('(')?;
                let params = self.list(')', Self::ty)?;
                self.arrow()?;
                Some(TypeKind::Fn(params, Box::new(self.ty()?)))
            }
            "closure" => {
                self.bump();
                let code = self.func_name()?.node;
                self.expect('(')?;
                Some(TypeKind::Closure(code, self.list(')', Self::ty)?))
            }
            "stack" => {
                self.bump();
                self.expect('<')?;
                let elem = self.ty()?;
                self.expect('>')?;
                Some(TypeKind::Stack(Box::new(elem)))
            }
            "ref" => {
                self.bump();
                Some(TypeKind::Ref(Box::new(self.ty()?)))
            }
            "opaque" => {
                self.bump();
                Some(TypeKind::Opaque(self.bare_name("the name of a host type")?.node))
            }
            _ => self.named_type(),
        }
    }

    fn named_type(&mut self) -> Option<TypeKind> {
        let name = self.bare_name("a type")?.node;
        let args = if self.eat('<') { self.list('>', Self::ty)? } else { Vec::new() };
        Some(TypeKind::Named(name, args))
    }

    fn tuple_type(&mut self) -> Option<TypeKind> {
        self.bump();
        Some(TypeKind::Tuple(self.list(')', Self::ty)?))
    }

    fn array_type(&mut self) -> Option<TypeKind> {
        self.bump();
        let elem = self.ty()?;
        let rank = if self.eat(';') {
            if !self.at_word("rank") {
                return self.unexpected("`rank`");
            }
            self.bump();
            self.small_number::<u32>("the number of axes")?.max(1)
        } else {
            1
        };
        self.expect(']')?;
        Some(TypeKind::Array(Box::new(elem), rank))
    }

    pub(super) fn arrow(&mut self) -> Option<()> {
        if self.peek().tok != Tok::Arrow {
            return self.unexpected("`->`");
        }
        self.bump();
        Some(())
    }

    pub(super) fn func_name(&mut self) -> Option<Name> {
        let Tok::Func(name) = self.peek().tok else { return self.unexpected("the name of a function") };
        Some(At { node: name, at: self.bump().at })
    }

    /// A number without sign or suffix.
    pub(super) fn small_number<N: std::str::FromStr>(&mut self, what: &str) -> Option<N> {
        match self.peek().tok {
            Tok::Number(digits, "") => match digits.parse() {
                Ok(number) => {
                    self.bump();
                    Some(number)
                }
                Err(_) => self.unexpected(what),
            },
            _ => self.unexpected(what),
        }
    }

    /// A variable, or an immediate scalar.
    pub(super) fn operand(&mut self) -> Option<OperandSyntax<'t>> {
        let help = match self.peek().tok {
            Tok::Var(name) => return Some(OperandSyntax::Var(At { node: name, at: self.bump().at })),
            Tok::Word(word) if self.in_line() && !is_scalar_word(word) => {
                format!("a value is written `%{word}`")
            }
            Tok::Word(word) if !is_scalar_word(word) => return self.unexpected("an operand"),
            Tok::Word(_) | Tok::Number(..) | Tok::Nan(..) | Tok::Str(_) | Tok::Char(_) => {
                return Some(OperandSyntax::Literal(self.literal()?));
            }
            Tok::Punct('(') if *self.peek_second() == Tok::Punct(')') => {
                return Some(OperandSyntax::Literal(self.literal()?));
            }
            Tok::Func(_) | Tok::Punct('(' | '[') => {
                "only scalars stand in place: `%c: T = const …` makes a value of the others".to_owned()
            }
            Tok::Block(_) | Tok::Arrow | Tok::Punct(_) | Tok::Bad | Tok::End => {
                return self.unexpected("an operand");
            }
        };
        self.unexpected_with_help("an operand", Some(help))
    }

    pub(super) fn literal(&mut self) -> Option<Literal<'t>> {
        self.nested(|reader| {
            let start = reader.peek().at;
            let node = reader.literal_kind()?;
            Some(At { node, at: start.to(reader.last_place()) })
        })
    }

    fn literal_kind(&mut self) -> Option<LiteralKind<'t>> {
        match self.peek().tok.clone() {
            Tok::Number(..) | Tok::Nan(..) => self.number(),
            Tok::Char(c) => {
                self.bump();
                Some(LiteralKind::Char(c))
            }
            Tok::Func(name) => {
                self.bump();
                Some(LiteralKind::Func(name))
            }
            Tok::Str(text) => {
                if matches!(self.peek_second(), Tok::Punct('(' | '{')) {
                    return self.named_literal();
                }
                self.bump();
                Some(LiteralKind::Str(text))
            }
            Tok::Punct('(') => {
                self.bump();
                Some(LiteralKind::Tuple(self.list(')', Self::literal)?))
            }
            Tok::Punct('[') => self.list_literal(),
            Tok::Word(word) => self.word_literal(word),
            Tok::Var(_) | Tok::Block(_) | Tok::Arrow | Tok::Punct(_) | Tok::Bad | Tok::End => {
                self.unexpected("a literal")
            }
        }
    }

    fn word_literal(&mut self, word: &'t str) -> Option<LiteralKind<'t>> {
        if let Some((number, suffix)) = float_word(word) {
            self.bump();
            return Some(LiteralKind::Float { number, suffix });
        }
        match word {
            "true" | "false" => {
                self.bump();
                Some(LiteralKind::Bool(word == "true"))
            }
            "stack" => {
                self.bump();
                self.expect('[')?;
                Some(LiteralKind::Stack(self.list(']', Self::literal)?))
            }
            _ => self.named_literal(),
        }
    }

    fn named_literal(&mut self) -> Option<LiteralKind<'t>> {
        let name = self.bare_name("a literal")?.node;
        let fields = if self.eat('(') {
            FieldsSyntax::Positional(self.list(')', Self::literal)?)
        } else if self.eat('{') {
            FieldsSyntax::Named(self.list('}', |reader| {
                let field = reader.bare_name("the name of a field")?;
                reader.expect(':')?;
                Some((field, reader.literal()?))
            })?)
        } else {
            FieldsSyntax::None
        };
        Some(LiteralKind::Named(name, fields))
    }

    fn list_literal(&mut self) -> Option<LiteralKind<'t>> {
        self.bump();
        let mut elems = Vec::new();
        while !self.at(']') && !self.at(';') {
            elems.push(self.literal()?);
            if !self.eat(',') && !self.at(']') && !self.at(';') {
                return self.unexpected("`,` or `]`");
            }
        }
        let shape = if self.eat(';') {
            if !self.at_word("shape") {
                return self.unexpected("`shape`");
            }
            self.bump();
            self.expect('[')?;
            Some(self.list(']', |reader| reader.small_number("the length of an axis"))?)
        } else {
            None
        };
        self.expect(']')?;
        Some(LiteralKind::List(elems, shape))
    }

    fn number(&mut self) -> Option<LiteralKind<'t>> {
        let token = self.bump();
        let (literal, ty) = match token.tok {
            Tok::Nan(digits, suffix) => match (u64::from_str_radix(digits, 16), float_suffix(suffix)) {
                (Ok(bits), Some(suffix)) => {
                    return Some(LiteralKind::Float { number: FloatSyntax::Nan(Some(bits)), suffix });
                }
                _ => (format!("nan:0x{digits}"), suffix),
            },
            Tok::Number(digits, suffix) => match number_literal(digits, suffix) {
                Some(kind) => return Some(kind),
                None => (digits.to_owned(), suffix),
            },
            _ => return None,
        };
        let ty = if ty.is_empty() { "i64" } else { ty }.to_owned();
        self.faults.push(token.at, ParseErrorKind::Number { literal, ty });
        None
    }

    /// A variable with its sigil.
    pub(super) fn var_name(&mut self, what: &str) -> Option<Name> {
        match &self.peek().tok {
            Tok::Var(name) => {
                let node: Symbol = *name;
                Some(At { node, at: self.bump().at })
            }
            _ => self.unexpected(what),
        }
    }
}

/// Whether a bare word is a scalar.
fn is_scalar_word(word: &str) -> bool {
    matches!(word, "true" | "false") || float_word(word).is_some()
}

fn float_word<'t>(word: &str) -> Option<(FloatSyntax<'t>, Option<FloatTy>)> {
    let (name, suffix) = word.split_once('_').unwrap_or((word, ""));
    let number = match name {
        "nan" => FloatSyntax::Nan(None),
        "inf" => FloatSyntax::Inf { negative: false },
        _ => return None,
    };
    Some((number, float_suffix(suffix)?))
}

/// The float type of a suffix, `Some(None)` for an empty one; `None` if the suffix is not a float type.
fn float_suffix(suffix: &str) -> Option<Option<FloatTy>> {
    match suffix {
        "" => Some(None),
        "f32" => Some(Some(FloatTy::F32)),
        "f64" => Some(Some(FloatTy::F64)),
        _ => None,
    }
}

fn number_literal<'t>(digits: &'t str, suffix: &str) -> Option<LiteralKind<'t>> {
    if digits == "-inf" {
        let number = FloatSyntax::Inf { negative: true };
        return Some(LiteralKind::Float { number, suffix: float_suffix(suffix)? });
    }
    let is_float = digits.contains(['.', 'e', 'E']);
    match float_suffix(suffix) {
        Some(suffix) if is_float || suffix.is_some() => {
            return Some(LiteralKind::Float { number: FloatSyntax::Decimal(digits), suffix });
        }
        None if is_float => return None,
        _ => {}
    }
    let suffix = match suffix {
        "" => None,
        _ => Some(IntTy::ALL.into_iter().find(|int| int.name() == suffix)?),
    };
    let (negative, magnitude) = match digits.strip_prefix('-') {
        Some(magnitude) => (true, magnitude),
        None => (false, digits),
    };
    let magnitude = magnitude.replace('_', "").parse().ok()?;
    Some(LiteralKind::Int { negative, magnitude, suffix })
}
