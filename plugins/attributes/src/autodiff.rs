//! Derivatives in the forms of `std::autodiff`: functions that call the exported ones.

use std::fmt::Write;

use overdub_build::TypePaths;
use overdub_context::Symbol;
use overdub_context::ir::{Ty as IrTy, TyKind as IrKind};
use overdub_export::{Derivative, Export, ExportError, is_copied};
use overdub_lower::Function;
use overdub_lower::lower::PassedBy;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Error, ItemFn, Result, Visibility};

use crate::activity::{Activity, Mode, Request};
use crate::derivative::{module, module_name, used};
use crate::features::Enabled;
use crate::program::{Found, Place, find, loaded};
use crate::refuse::{OwnTokens, Refusal};
use crate::shadows::{Change, Shadows, holds_floats, parts};
use crate::signature::Signature;

/// The name of the exported function in its module.
const INNER: &str = "derivative";

/// Variables of the function that calls it, which no parameter is called.
const VALUE: &str = "__value";
const TANGENT: &str = "__tangent";

/// `#[autodiff_reverse(…)]`.
pub(crate) fn reverse(args: TokenStream, function: &ItemFn, enabled: &Enabled) -> Result<TokenStream> {
    expand(Mode::Reverse, args, function, enabled)
}

/// `#[autodiff_forward(…)]`.
pub(crate) fn forward(args: TokenStream, function: &ItemFn, enabled: &Enabled) -> Result<TokenStream> {
    expand(Mode::Forward, args, function, enabled)
}

fn expand(mode: Mode, args: TokenStream, function: &ItemFn, enabled: &Enabled) -> Result<TokenStream> {
    let request: Request = syn::parse2(args)?;
    let signature = Signature::new(mode, &request, function)?;
    let unknown =
        || Error::new(Span::call_site(), "the file that the function is in is not known: a macro made it");
    let place = Place::of(function).ok_or_else(unknown)?;
    let within = module_name(&request.name.to_string());
    // Names of parameters, which are rustc's tokens.
    let names = Names::of(&signature);
    let made = || -> std::result::Result<Made, Refusal> {
        let _guard = OwnTokens::new();
        let found = find(&place, enabled)?;
        let call = Call { signature: &signature, names: &names, found: &found, within: &within };
        call.made().map_err(|refusal| refusal.with_relative_path())
    };
    let Made { text, body } =
        made().map_err(|refusal| refusal.within(function.to_token_stream(), &place.file))?;
    let module = module(&within, &text)?;
    let body: TokenStream = body
        .parse()
        .map_err(|error| Error::new(Span::call_site(), format!("what was made is not Rust: {error}")))?;
    let (name, vis, generics) = (&request.name, &function.vis, &function.sig.generics);
    let (inputs, output) = (signature.inputs(), signature.output());
    let is_unsafe = matches!(function.sig.safety, syn::Safety::Unsafe(_)) || signature.is_unsafe();
    let safety = is_unsafe.then(|| quote!(unsafe));
    let what = if mode == Mode::Forward { "forward" } else { "reverse" };
    let doc = format!("The derivative of `{}` in {what} mode.", function.sig.ident);
    let unused = matches!(vis, Visibility::Inherited).then(|| quote!(#[allow(dead_code)]));
    let clause = &generics.where_clause;
    let used = used(function);
    Ok(quote! {
        #module
        #used
        #unused
        #[doc = #doc]
        #[allow(unused_variables, clippy::all)]
        #vis #safety fn #name #generics (#(#inputs),*) -> #output #clause { #body }
    })
}

/// The names of the parameters and of their shadows.
struct Names {
    params: Vec<String>,
    shadows: Vec<Option<String>>,
}

impl Names {
    fn of(signature: &Signature) -> Names {
        let shadow = |shadow: &Option<Ident>| shadow.as_ref().map(Ident::to_string);
        Names {
            params: signature.params.iter().map(|param| param.name.to_string()).collect(),
            shadows: signature.params.iter().map(|param| shadow(&param.shadow)).collect(),
        }
    }
}

/// The text of the module with the exported function, and the body of the function that calls it.
struct Made {
    text: String,
    body: String,
}

/// A part of the value of the exported function.
enum Part {
    Result,
    /// The final value of a `&mut` parameter.
    Output(usize),
}

struct Call<'c> {
    signature: &'c Signature,
    names: &'c Names,
    found: &'c Found,
    within: &'c str,
}

impl Call<'_> {
    fn made(&self) -> std::result::Result<Made, Refusal> {
        let loaded = loaded(self.found);
        let refused = |error: ExportError| Refusal::from(overdub_build::Error::from_export(error, loaded));
        let function = loaded.function(&self.found.path);
        let function =
            function.map_err(|error| Refusal::from(overdub_build::Error::from_function(error, loaded)))?;
        let engine = loaded.engine();
        let paths = TypePaths::in_module(loaded, &format!("{}::{}", self.found.module, self.within));
        let derivative = match self.signature.mode {
            Mode::Forward => Derivative::Jvp,
            Mode::Reverse => Derivative::Vjp,
        };
        let export = Export::new(&engine).with_file_names(|file: Symbol| self.found.package.file_name(file));
        let export = export
            .derivative(function.symbol, derivative, &self.signature.selected(), INNER, "")
            .map_err(refused)?;
        paths.add_signature(&function);
        let params: Vec<IrTy> =
            export.params(INNER).map_err(refused)?.into_iter().map(|(_, ty)| ty).collect();
        let ret = export.ret(INNER).map_err(refused)?;
        for &ty in params.iter().chain([&ret]) {
            paths.check(ty)?;
        }
        let text = export.with_type_paths(|nominal| paths.path(nominal)).rust().map_err(refused)?;
        let shadows = Shadows { types: loaded.types(), paths: &paths };
        let body = match self.signature.mode {
            Mode::Forward => self.forward(&function, &shadows, &params, ret)?,
            Mode::Reverse => self.reverse(&function, &shadows, &params, ret)?,
        };
        Ok(Made { text, body })
    }

    /// The parts of the value.
    fn parts(&self, function: &Function) -> Vec<Part> {
        let result = (function.ir_ret != IrTy::unit()).then_some(Part::Result);
        let outputs = function.params.iter().enumerate().filter(|(_, param)| param.by == PassedBy::InOut);
        result.into_iter().chain(outputs.map(|(at, _)| Part::Output(at))).collect()
    }

    /// The parameters with derivatives.
    fn active(&self, function: &Function) -> Vec<usize> {
        let params = function.params.iter().zip(self.signature.selected()).enumerate();
        params
            .filter(|(_, (param, selected))| *selected && holds_floats(param.ir_ty))
            .map(|(at, _)| at)
            .collect()
    }

    fn unexpected(&self) -> Refusal {
        Refusal::new("the derivative has an unexpected form")
    }

    /// The arguments of the exported function that are those of the function itself.
    fn arguments(
        &self,
        function: &Function,
        shadows: &Shadows<'_>,
        params: &[IrTy],
    ) -> std::result::Result<Vec<String>, Refusal> {
        let own = function.params.iter().zip(&self.names.params).zip(params);
        own.map(|((param, name), &ty)| shadows.argument(name, param.ty, ty)).collect()
    }

    fn shadow(&self, at: usize) -> std::result::Result<&str, Refusal> {
        self.names.shadows[at].as_deref().ok_or_else(|| self.unexpected())
    }

    /// Statements that write the final values of `&mut` parameters, and the expression of the result, given the value.
    fn outputs(
        &self,
        function: &Function,
        shadows: &Shadows<'_>,
        out: &mut String,
    ) -> std::result::Result<Option<String>, Refusal> {
        let all = self.parts(function);
        let mut result = None;
        for (number, part) in all.iter().enumerate() {
            let value = part_of(VALUE, number, all.len());
            match *part {
                Part::Result => {
                    shadows.check_result(function.ret)?;
                    result = Some(value);
                }
                Part::Output(at) => {
                    line(out, &shadows.write(&self.names.params[at], &value, function.params[at].ty)?);
                }
            }
        }
        Ok(result)
    }

    fn reverse(
        &self,
        function: &Function,
        shadows: &Shadows<'_>,
        params: &[IrTy],
        ret: IrTy,
    ) -> std::result::Result<String, Refusal> {
        let (all, active) = (self.parts(function), self.active(function));
        let (IrKind::Tuple(results), Some(&seed_ty)) = (ret.kind(), params.get(function.params.len())) else {
            return Err(self.unexpected());
        };
        let seeds = parts(seed_ty, all.len()).ok_or_else(|| self.unexpected())?;
        if results.len() != active.len() + 1 || params.len() != function.params.len() + 1 {
            return Err(self.unexpected());
        }
        let mut out = String::new();
        let mut seed = Vec::new();
        for (part, &dty) in all.iter().zip(&seeds) {
            seed.push(match *part {
                Part::Result => match &self.signature.ret {
                    Some((_, Activity::Active | Activity::ActiveOnly)) => "dret".to_owned(),
                    _ => shadows.zero(None, function.ret, dty)?,
                },
                Part::Output(at) => {
                    let (name, ty) = (&self.names.params[at], function.params[at].ty);
                    match &self.names.shadows[at] {
                        Some(shadow) => {
                            same_lengths(shadow, name, dty, &mut out);
                            shadows.tangent(shadow, ty, dty)?
                        }
                        None => shadows.zero(Some(name), ty, dty)?,
                    }
                }
            });
        }
        let seed = joined(seed);
        let mut arguments = self.arguments(function, shadows, params)?;
        arguments.push(if is_copied(seed_ty) { seed } else { format!("&{seed}") });
        let names: Vec<String> = (0..active.len()).map(|at| format!("__change{at}")).collect();
        line(
            &mut out,
            &format!(
                "let ({VALUE}, {}) = {}::{INNER}({});",
                names.join(", "),
                self.within,
                arguments.join(", ")
            ),
        );
        let mut changes = String::new();
        let mut returned = Vec::new();
        for ((&at, name), &dty) in active.iter().zip(&names).zip(&results[1..]) {
            let param = &function.params[at];
            if self.signature.params[at].activity == Activity::Active {
                returned.push(name.clone());
                continue;
            }
            // What a mutable reference refers to was overwritten, and its shadow is that of the value from before.
            let how = if param.by == PassedBy::InOut { Change::Set } else { Change::Add };
            shadows.change(how, self.shadow(at)?, name, param.ty, dty, &mut changes)?;
        }
        let result = self.outputs(function, shadows, &mut out)?;
        out.push_str(&changes);
        let primal = match &self.signature.ret {
            Some((_, Activity::ActiveOnly)) | None => None,
            Some(_) => result,
        };
        let all: Vec<String> = primal.into_iter().chain(returned).collect();
        line(&mut out, &joined(all));
        Ok(out)
    }

    fn forward(
        &self,
        function: &Function,
        shadows: &Shadows<'_>,
        params: &[IrTy],
        ret: IrTy,
    ) -> std::result::Result<String, Refusal> {
        let (all, active) = (self.parts(function), self.active(function));
        let tangents = params.get(function.params.len()..).unwrap_or_default();
        let IrKind::Tuple(results) = ret.kind() else { return Err(self.unexpected()) };
        let [_, dret] = results[..] else { return Err(self.unexpected()) };
        let changes = parts(dret, all.len()).ok_or_else(|| self.unexpected())?;
        if tangents.len() != active.len() {
            return Err(self.unexpected());
        }
        let mut out = String::new();
        let mut arguments = self.arguments(function, shadows, params)?;
        for (&at, &dty) in active.iter().zip(tangents) {
            let shadow = self.shadow(at)?;
            same_lengths(shadow, &self.names.params[at], dty, &mut out);
            let tangent = shadows.tangent(shadow, function.params[at].ty, dty)?;
            arguments.push(if is_copied(dty) { tangent } else { format!("&{tangent}") });
        }
        line(
            &mut out,
            &format!("let ({VALUE}, {TANGENT}) = {}::{INNER}({});", self.within, arguments.join(", ")),
        );
        let mut written = String::new();
        let mut change = None;
        for (number, (part, &dty)) in all.iter().zip(&changes).enumerate() {
            let tangent = part_of(TANGENT, number, all.len());
            match *part {
                Part::Result => change = Some(tangent),
                Part::Output(at) => {
                    if let Some(shadow) = &self.names.shadows[at] {
                        shadows.change(
                            Change::Set,
                            shadow,
                            &tangent,
                            function.params[at].ty,
                            dty,
                            &mut written,
                        )?;
                    }
                }
            }
        }
        let result = self.outputs(function, shadows, &mut out)?;
        out.push_str(&written);
        let returned = match &self.signature.ret {
            Some((_, Activity::Dual)) => result.into_iter().chain(change).collect(),
            Some((_, Activity::DualOnly)) => change.into_iter().collect(),
            Some(_) => result.into_iter().collect(),
            None => Vec::new(),
        };
        line(&mut out, &joined(returned));
        Ok(out)
    }
}

fn line(out: &mut String, text: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "{text}");
}

/// One expression, or a tuple of several.
fn joined(parts: Vec<String>) -> String {
    match &parts[..] {
        [one] => one.clone(),
        parts => format!("({})", parts.join(", ")),
    }
}

/// A part of a value that is a tuple if there are several.
fn part_of(value: &str, number: usize, count: usize) -> String {
    if count == 1 { value.to_owned() } else { format!("{value}.{number}") }
}

/// A statement that fails if a shadow has not the length of what it belongs to.
fn same_lengths(shadow: &str, name: &str, dty: IrTy, out: &mut String) {
    if let IrKind::Array(_) = dty.kind() {
        line(
            out,
            &format!("assert_eq!({shadow}.len(), {name}.len(), \"the length of the shadow `{shadow}`\");"),
        );
    }
}
