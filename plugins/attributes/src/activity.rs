//! The arguments of `#[autodiff_reverse(…)]` and `#[autodiff_forward(…)]`, checked against the signature.

use proc_macro2::{Ident, Span};
use syn::parse::{Parse, ParseStream};
use syn::{Error, LitInt, Result, Token};

/// What is done with a parameter or a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Activity {
    /// Nothing.
    Const,
    /// The derivative with respect to a float is returned; that of a result is an argument.
    Active,
    /// The same for a result, which is not returned.
    ActiveOnly,
    /// A shadow is added to.
    Duplicated,
    /// The same, and what it is the shadow of need not be computed.
    DuplicatedOnly,
    /// A tangent follows.
    Dual,
    /// The same, and what it belongs to need not be computed.
    DualOnly,
}

/// The direction in which derivatives are carried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Forward,
    Reverse,
}

/// A request: the name of the derivative, and the activities of the parameters and of the result.
pub(crate) struct Request {
    pub(crate) name: Ident,
    pub(crate) activities: Vec<(Activity, Span)>,
}

impl Parse for Request {
    fn parse(input: ParseStream<'_>) -> Result<Request> {
        if input.is_empty() {
            return Err(Error::new(Span::call_site(), "expected the name of the derivative, and activities"));
        }
        let name: Ident = input.parse()?;
        let mut activities = Vec::new();
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            if input.peek(LitInt) {
                let width: LitInt = input.parse()?;
                if !activities.is_empty() || width.base10_parse::<u32>()? != 1 {
                    let message = "several directions in one call are not supported: call it once for each";
                    return Err(Error::new(width.span(), message));
                }
                continue;
            }
            let word: Ident = input.parse()?;
            let activity = match word.to_string().as_str() {
                "Const" => Activity::Const,
                "Active" => Activity::Active,
                "ActiveOnly" => Activity::ActiveOnly,
                "Duplicated" => Activity::Duplicated,
                "DuplicatedOnly" => Activity::DuplicatedOnly,
                "Dual" => Activity::Dual,
                "DualOnly" => Activity::DualOnly,
                "Dualv" | "DualvOnly" => {
                    let message = "several directions in one call are not supported: `Dual` is one";
                    return Err(Error::new(word.span(), message));
                }
                _ => return Err(Error::new(word.span(), "this is no activity")),
            };
            activities.push((activity, word.span()));
        }
        if !input.is_empty() {
            return Err(input.error("expected `,`"));
        }
        Ok(Request { name, activities })
    }
}

impl Activity {
    /// Whether a mode has it for a parameter of this type.
    pub(crate) fn check_param(self, mode: Mode, ty: &syn::Type, at: Span) -> Result<()> {
        let is_reference = matches!(ty, syn::Type::Reference(_));
        let refuse = |message: &str| Err(Error::new(at, message));
        if matches!(ty, syn::Type::Ptr(_)) && self != Activity::Const {
            return refuse("what is behind a raw pointer is not differentiated");
        }
        match (mode, self) {
            (_, Activity::Const) | (Mode::Forward, Activity::Dual | Activity::DualOnly) => Ok(()),
            (Mode::Reverse, Activity::Active) if is_float(ty) => Ok(()),
            (Mode::Reverse, Activity::Active) => refuse("`Active` is for floats that are passed by value"),
            (Mode::Reverse, Activity::Duplicated | Activity::DuplicatedOnly) if is_reference => Ok(()),
            (Mode::Reverse, Activity::Duplicated | Activity::DuplicatedOnly) => refuse(
                "`Duplicated` is for references: what is passed by value has no place for its derivative",
            ),
            (Mode::Forward, _) => refuse("a parameter in forward mode is `Dual`, `DualOnly` or `Const`"),
            (Mode::Reverse, _) => {
                refuse("a parameter in reverse mode is `Active`, `Duplicated`, `DuplicatedOnly` or `Const`")
            }
        }
    }

    /// Whether a mode has it for a result of this type.
    pub(crate) fn check_result(self, mode: Mode, ty: &syn::Type, at: Span) -> Result<()> {
        let refuse = |message: &str| Err(Error::new(at, message));
        match (mode, self) {
            (_, Activity::Const) => Ok(()),
            (Mode::Reverse, Activity::Active | Activity::ActiveOnly)
            | (Mode::Forward, Activity::Dual | Activity::DualOnly) => match is_float(ty) {
                true => Ok(()),
                false => {
                    refuse("only a result that is a float is differentiated; `&mut` parameters take others")
                }
            },
            (Mode::Forward, _) => refuse("the result in forward mode is `Dual`, `DualOnly` or `Const`"),
            (Mode::Reverse, _) => refuse("the result in reverse mode is `Active`, `ActiveOnly` or `Const`"),
        }
    }

    /// Whether the derivative need not compute what it belongs to, so that the caller may not rely on it.
    pub(crate) fn is_unsafe(self) -> bool {
        matches!(self, Activity::DuplicatedOnly | Activity::DualOnly)
    }
}

fn is_float(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.is_ident("f64") || path.path.is_ident("f32"))
}
