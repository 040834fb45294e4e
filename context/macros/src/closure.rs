//! `dub!(|x: f64| …)`: the closure, and the source of a function that constructs it from its captures.

use proc_macro2::{LineColumn, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Error, ExprClosure, Pat, Result, parse_quote};

use crate::capture::captures;
use crate::register::{self, Registration};
use crate::text::Piece;
use crate::{refuse, surroundings, text};

/// The closure with its captures, and its registration.
pub(crate) fn expand(tokens: TokenStream) -> Result<TokenStream> {
    let closure: ExprClosure = syn::parse2(tokens)?;
    refuse::check_closure(&closure)?;
    check_params(&closure)?;
    let captured = captures(&closure);
    if let Some(receiver) = captured.iter().find(|name| *name == "self") {
        let message = "`dub!` does not capture `self`\nhelp: bind what is needed of it to variables before";
        return Err(Error::new(receiver.span(), message));
    }
    let crate_path: syn::Path = parse_quote!(::overdub);
    let span = closure.inputs_begin.spans[0];
    let start = span.start();
    let name = format!("__dub_closure_{}_{}", start.line, start.column);
    let mut pieces = surroundings::of(span).uses;
    let text = text::rebuild(closure.to_token_stream());
    let text = text.ok_or_else(|| Error::new(span, "there is no closure here"))?;
    pieces.push(constructor_source(&name, &captured, closure.capture.is_some(), text));
    let registration =
        Registration { crate_path: crate_path.clone(), pieces, funcs: vec![], conditions: vec![] };
    let registered = register::items(&registration);
    let moved = if closure.capture.is_some() { quote!() } else { quote!(move) };
    let marker = format_ident!("__here");
    Ok(quote! {{
        #registered
        fn #marker() {}
        #(#[allow(unused_mut)] let #captured = ::core::clone::Clone::clone(&#captured);)*
        let captures = ::std::vec![#(#crate_path::__private::Capture::of(&#captured)),*];
        let place = (#crate_path::__private::name_of(&#marker), #name);
        #crate_path::__private::Dubbed::new(#moved #closure, place, captures)
    }})
}

/// The function with which a program constructs the closure; it ends where the closure's own source ends.
fn constructor_source(name: &str, captured: &[syn::Ident], is_move: bool, closure: Piece) -> Piece {
    let generics: Vec<String> = (0..captured.len()).map(|i| format!("C{i}")).collect();
    let params = captured.iter().zip(&generics).map(|(name, ty)| format!("{name}: {ty}"));
    let params = params.collect::<Vec<_>>().join(", ");
    let moved = if is_move { "" } else { "move" };
    let header = format!("fn {name}<{}>({params}) -> impl Sized {{ {moved}", generics.join(", "));
    let Piece { start, text } = closure;
    // The header goes on the line before, which no token of the closure occupies.
    let (start, between) = match start.line {
        0 | 1 => (start, " ".to_owned()),
        line => (LineColumn { line: line - 1, column: 0 }, format!("\n{}", " ".repeat(start.column))),
    };
    Piece { start, text: format!("{header}{between}{text} }}") }
}

fn check_params(closure: &ExprClosure) -> Result<()> {
    let untyped = closure.inputs.iter().find(|pat| !matches!(pat, Pat::Type(_)));
    match untyped {
        Some(pat) => {
            let message = "`dub!` needs to know the type of this parameter\nhelp: write it: `|x: f64|`";
            Err(Error::new_spanned(pat, message))
        }
        None => Ok(()),
    }
}
