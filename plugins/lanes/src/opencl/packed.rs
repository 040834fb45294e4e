//! Arguments and results in their packed form.

use overdub_context::ir::{IntTy, Ty, TyKind};

use super::eval::wrapped;
use super::{Printer, variable};
use crate::layout::field;
use crate::program::Place;
use crate::unsupported::{Reason, Unsupported};

impl Printer<'_> {
    /// Reads the argument of a parameter.
    pub(super) fn param(&mut self, number: usize, ty: Ty, places: &[Place]) -> Result<(), Unsupported> {
        let offset =
            format!("stride{number} == ~(ulong)0 ? offsets{number}[element] : stride{number} * element");
        self.line(&format!("__global const ulong *at{number} = (__global const ulong *)(data{number} + begin{number} + ({offset}));"));
        if let [Place::Array(array)] = places
            && let TyKind::Array(of) = ty.kind()
        {
            let Some(elem) = c_type(of.elem).filter(|_| of.rank == 1) else {
                return self.unsupported(Reason::Param(ty));
            };
            self.line(&format!("ulong a{array}_len = *at{number};"));
            self.line(&format!(
                "__global const {elem} *a{array} = (__global const {elem} *)(at{number} + 1);"
            ));
            return Ok(());
        }
        self.read(ty, places, 0, &format!("at{number}"), "")
    }

    /// Reads a value of a type, whose parts begin with the one of number `first`.
    fn read(
        &mut self,
        ty: Ty,
        places: &[Place],
        first: usize,
        at: &str,
        indent: &str,
    ) -> Result<(), Unsupported> {
        match ty.kind() {
            TyKind::Unit => Ok(()),
            TyKind::Tuple(_) | TyKind::Struct(_) => {
                self.each_part(ty, 0, first, |this, part, begin| this.read(part, places, begin, at, indent))
            }
            TyKind::Enum(_) => {
                let tag = variable(places[first]);
                self.line(&format!("{indent}{tag} = *{at}++;"));
                self.each_variant(ty, &tag, indent, |this, variant, indent| {
                    this.each_part(ty, variant, first, |this, part, begin| {
                        this.read(part, places, begin, at, indent)
                    })
                })
            }
            _ => {
                let Some(place) = places.get(first) else { return self.unsupported(Reason::Param(ty)) };
                let word = match ty.kind() {
                    TyKind::Int(int) => wrapped(*int, &format!("(*{at})")),
                    TyKind::Bool => format!("(int)(*{at} & 1)"),
                    _ => format!("*{at}"),
                };
                self.line(&format!("{indent}{} = {word}; {at}++;", variable(*place)));
                Ok(())
            }
        }
    }

    /// Writes the result, and ends.
    pub(super) fn result(&mut self, ty: Ty, places: &[Place]) -> Result<(), Unsupported> {
        self.line("{");
        let Some(most) = most_words(ty) else { return self.unsupported(Reason::Result(ty)) };
        let lists: String = places
            .iter()
            .filter_map(|place| match place {
                Place::Array(array) => Some(format!(" + a{array}_len")),
                _ => None,
            })
            .collect();
        self.line(&format!("if (room / 8 < {most}{lists}) {{ OVERDUB_LEAVE(OVERDUB_NO_ROOM); }}"));
        self.line("__global ulong *to = (__global ulong *)(results + first + element * room);");
        self.write(ty, places, 0, "")?;
        self.line("(void)to;");
        self.line("OVERDUB_LEAVE(OVERDUB_DONE);");
        self.line("}");
        Ok(())
    }

    fn write(&mut self, ty: Ty, places: &[Place], first: usize, indent: &str) -> Result<(), Unsupported> {
        match ty.kind() {
            TyKind::Unit => Ok(()),
            TyKind::Tuple(_) | TyKind::Struct(_) => {
                self.each_part(ty, 0, first, |this, part, begin| this.write(part, places, begin, indent))
            }
            TyKind::Enum(_) => {
                let tag = variable(places[first]);
                self.line(&format!("{indent}*to++ = {tag};"));
                self.each_variant(ty, &tag, indent, |this, variant, indent| {
                    this.each_part(ty, variant, first, |this, part, begin| {
                        this.write(part, places, begin, indent)
                    })
                })
            }
            TyKind::Array(of) => {
                let Some(Place::Array(array)) = places.get(first) else {
                    return self.unsupported(Reason::Result(ty));
                };
                let element = self.element(*array, of.elem, "at");
                self.line(&format!("{indent}*to++ = a{array}_len;"));
                self.line(&format!(
                    "{indent}for (ulong at = 0; at < a{array}_len; at++) {{ *to++ = {element}; }}"
                ));
                Ok(())
            }
            _ => {
                let Some(place) = places.get(first) else { return self.unsupported(Reason::Result(ty)) };
                let word = variable(*place);
                let word = match ty.kind() {
                    TyKind::Int(int) if int.bits() < 64 => {
                        format!("{word} & 0x{:x}ul", u64::MAX >> (64 - int.bits()))
                    }
                    TyKind::Bool => format!("(ulong){word}"),
                    _ => word,
                };
                self.line(&format!("{indent}*to++ = {word};"));
                Ok(())
            }
        }
    }

    /// Does something with each part of a variant, and the number of its first part.
    fn each_part(
        &mut self,
        ty: Ty,
        variant: u32,
        first: usize,
        mut act: impl FnMut(&mut Self, Ty, usize) -> Result<(), Unsupported>,
    ) -> Result<(), Unsupported> {
        for (number, part) in ty.parts(variant).unwrap_or_default().into_iter().enumerate() {
            let Some((begin, _)) = field(ty, variant, number) else {
                return self.unsupported(Reason::Type(ty));
            };
            act(self, part, first + begin)?;
        }
        Ok(())
    }

    fn each_variant(
        &mut self,
        ty: Ty,
        tag: &str,
        indent: &str,
        mut act: impl FnMut(&mut Self, u32, &str) -> Result<(), Unsupported>,
    ) -> Result<(), Unsupported> {
        let inner = format!("{indent}    ");
        for variant in 0..variants(ty) {
            self.line(&format!("{indent}if ({tag} == {variant}) {{"));
            act(self, variant, &inner)?;
            self.line(&format!("{indent}}}"));
        }
        Ok(())
    }
}

fn variants(ty: Ty) -> u32 {
    match ty.kind() {
        TyKind::Enum(nominal) => nominal.variants().map_or(0, |all| all.len() as u32),
        _ => 1,
    }
}

/// The most words of a packed value of a type that consists of scalars, and of lists of words, whose elements are not counted.
fn most_words(ty: Ty) -> Option<u64> {
    match ty.kind() {
        TyKind::Unit => Some(0),
        TyKind::Tuple(_) | TyKind::Struct(_) => ty.parts(0)?.into_iter().map(most_words).sum(),
        TyKind::Enum(_) => {
            let of = |variant| ty.parts(variant)?.into_iter().map(most_words).sum::<Option<u64>>();
            let all = (0..variants(ty)).map(of).collect::<Option<Vec<_>>>()?;
            Some(1 + all.into_iter().max().unwrap_or(0))
        }
        TyKind::Array(of) => (of.rank == 1 && is_packed_word(of.elem)).then_some(1),
        _ => super::is_scalar(ty).then_some(1),
    }
}

/// Whether an element of a packed list is a word.
fn is_packed_word(elem: Ty) -> bool {
    match elem.kind() {
        TyKind::Int(int) => int.bits() == 64,
        TyKind::Float(_) => elem == Ty::f64(),
        _ => false,
    }
}

/// The type of the elements of a packed list.
fn c_type(elem: Ty) -> Option<&'static str> {
    Some(match elem.kind() {
        TyKind::Float(_) if elem == Ty::f64() => "double",
        TyKind::Float(_) => "float",
        TyKind::Bool => "uchar",
        TyKind::Char => "uint",
        TyKind::Int(int) => match int {
            IntTy::I8 => "char",
            IntTy::I16 => "short",
            IntTy::I32 => "int",
            IntTy::I64 | IntTy::Isize => "long",
            IntTy::U8 => "uchar",
            IntTy::U16 => "ushort",
            IntTy::U32 => "uint",
            IntTy::U64 | IntTy::Usize => "ulong",
            IntTy::I128 | IntTy::U128 => return None,
        },
        _ => return None,
    })
}
