//! The function that a dynamic library offers to its host: it reads packed arguments, and writes the packed result.

use hashbrown::HashSet;
use overdub_context::Span;
use overdub_context::ir::{Ty, TyKind};

use super::lane_names::zero;
use super::{Printer, Signature};
use crate::ast::{Function, LocalInfo};
use crate::calls::parts;
use crate::error::ExportError;
use crate::lanes::{LaneFunction, LaneParam};
use crate::nominal::{fields, is_positional};

const SUPPORT: &str = include_str!("support/packed.rs");

impl Printer<'_> {
    /// The text that makes a library of a program: how values are packed, and `overdub_call`, which calls the function.
    pub(super) fn dynamic_library(
        &mut self,
        function: &Function,
        signature: &Signature,
    ) -> Result<String, ExportError> {
        let span = function.span;
        let mut tys: Vec<Ty> = Vec::new();
        let (mut reads, mut args) = (String::new(), Vec::new());
        for (number, (&param, is_ref)) in function.params.iter().zip(&signature.refs).enumerate() {
            let ty = function.locals[param.0 as usize].ty;
            let (read, arg) = self.argument(number, ty, *is_ref, span)?;
            reads.push_str(&read);
            args.push(arg);
            tys.push(ty);
        }
        let ret = self.owned(function.ret, span)?;
        tys.push(function.ret);
        let name = &self.functions[&signature.symbol].name;
        let calls = format!("{reads}        let value = {name}({});\n", args.join(", "));
        let writes = format!("        <{ret} as OverdubPacked>::write::<true>(&value, &mut to);\n");
        self.library(tys, &calls, &writes, span)
    }

    /// The text that makes a library of a function in lanes, which is called `name`: lists for the arguments of the elements, and
    /// for their results.
    pub(super) fn lane_library(
        &mut self,
        function: &LaneFunction,
        name: &str,
    ) -> Result<String, ExportError> {
        let span = function.span;
        let (mut reads, mut args) = (String::new(), Vec::new());
        let (mut tys, mut len) = (Vec::new(), None);
        for (number, param) in function.params.iter().enumerate() {
            let local = match param {
                LaneParam::Each(each) => each.slice,
                LaneParam::Fixed(local) => *local,
            };
            let LocalInfo { ty, is_ref, .. } = function.locals[local.0 as usize];
            let (read, arg) = self.argument(number, ty, is_ref, span)?;
            reads.push_str(&read);
            args.push(arg);
            tys.push(ty);
            if let (LaneParam::Each(_), None) = (param, &len) {
                len = Some(format!("x{number}.len()"));
            }
        }
        let len = len.ok_or_else(|| self.unsupported("no parameter with a list of arguments", span))?;
        let mut writes = String::new();
        for (number, result) in function.results.iter().enumerate() {
            let elem = function.locals[result.lanes.0 as usize].ty;
            let owned = self.owned(elem, span)?;
            reads.push_str(&format!(
                "        let mut y{number}: Vec<{owned}> = vec![{}; {len}];\n",
                zero(elem)
            ));
            args.push(format!("&mut y{number}"));
            writes.push_str(&format!(
                "        <Vec<{owned}> as OverdubPacked>::write::<true>(&y{number}, &mut to);\n"
            ));
        }
        let calls = format!("{reads}        {name}({});\n", args.join(", "));
        self.library(tys, &calls, &writes, span)
    }

    /// The statement that reads an argument, and how a call passes it.
    fn argument(
        &mut self,
        number: usize,
        ty: Ty,
        is_ref: bool,
        span: Span,
    ) -> Result<(String, String), ExportError> {
        let owned = self.owned(ty, span)?;
        let (is_shared, read) = match ty.kind() {
            TyKind::Str if is_ref => (true, "from.shared_text()".to_owned()),
            TyKind::Array(of) if is_ref && is_number(of.elem) => (true, "from.shared()".to_owned()),
            _ => (false, format!("<{owned} as OverdubPacked>::read::<true>(from)")),
        };
        let arg = if is_ref && !is_shared { format!("&x{number}") } else { format!("x{number}") };
        Ok((format!("        let x{number} = {read};\n"), arg))
    }

    /// How values of these types and their parts are packed, and `overdub_call` with the statements that call the function, and
    /// those that write what it returns.
    fn library(
        &mut self,
        mut tys: Vec<Ty>,
        calls: &str,
        writes: &str,
        span: Span,
    ) -> Result<String, ExportError> {
        let mut text = SUPPORT.to_owned();
        let (mut seen, mut written) = (HashSet::new(), HashSet::new());
        while let Some(ty) = tys.pop() {
            if !seen.insert(ty) {
                continue;
            }
            tys.extend(parts(ty));
            if let Some((name, implementation)) = self.packed(ty, span)?
                && written.insert(name)
            {
                text.push_str(&implementation);
            }
        }
        text.push_str(&format!(
            "/// Calls the function, and sends the result to the host while it lasts; a call that fails returns 1.
#[unsafe(no_mangle)]
pub unsafe extern \"C\" fn overdub_call(
    args: *const u8,
    send: unsafe extern \"C\" fn(*mut std::ffi::c_void, *const u8, usize),
    host: *mut std::ffi::c_void,
) -> u32 {{
    let outcome = std::panic::catch_unwind(|| {{
        let from = &mut OverdubFrom(args);
{calls}        let mut to = OverdubTo::new();
{writes}        // SAFETY: the host copies what it is sent.
        unsafe {{ send(host, to.written().as_ptr(), to.written().len()) }};
    }});
    u32::from(outcome.is_err())
}}
"
        ));
        Ok(text)
    }

    /// The type in Rust and its implementation of `OverdubPacked`; none if the support has one.
    fn packed(&mut self, ty: Ty, span: Span) -> Result<Option<(String, String)>, ExportError> {
        let name = self.owned(ty, span)?;
        let read = "OverdubPacked::read::<SHARED>(from)";
        let (reads, writes) = match ty.kind() {
            TyKind::Unit | TyKind::Bool | TyKind::Char | TyKind::Str | TyKind::Int(_) | TyKind::Float(_) => {
                return Ok(None);
            }
            TyKind::Array(_) => return Ok(None),
            TyKind::Tuple(_) | TyKind::Closure(_) => {
                let count = parts(ty).len();
                let writes = (0..count).map(|at| format!("OverdubPacked::write::<SHARED>(&self.{at}, to);"));
                let reads = format!("{read}, ").repeat(count);
                (if count == 0 { "()".to_owned() } else { format!("({reads})") }, writes.collect::<String>())
            }
            TyKind::Struct(_) => {
                let (made, bound) = self.shape(ty, 0, &name, read);
                (made, format!("let {} = *self; {}", bound.0, bound.1))
            }
            TyKind::Enum(nominal) => {
                let (mut reads, mut writes) = (String::new(), String::new());
                for tag in 0..nominal.variants().unwrap_or_default().len() {
                    let path = self.types.variant(ty, tag, &mut self.names);
                    let path = path.map_err(self.no_type(span))?;
                    let (made, bound) = self.shape(ty, tag, &path, read);
                    reads.push_str(&format!("{tag} => {made},"));
                    writes.push_str(&format!("{} => {{ to.word({tag}); {} }}", bound.0, bound.1));
                }
                (
                    format!("match from.word() {{ {reads} _ => panic!() }}"),
                    format!("match *self {{ {writes} }}"),
                )
            }
            TyKind::Never | TyKind::Fn(_) | TyKind::Ref(_) | TyKind::Stack(_) | TyKind::Opaque(_) => {
                let construct = format!("a value of type `{ty}` does not cross the border of a library");
                return Err(self.unsupported(construct, span));
            }
        };
        let implementation = format!(
            "impl OverdubPacked for {name} {{
    fn read<const SHARED: bool>(from: &mut OverdubFrom) -> Self {{ {reads} }}
    fn write<const SHARED: bool>(&self, to: &mut OverdubTo) {{ {writes} }}
}}

"
        );
        Ok(Some((name, implementation)))
    }

    /// A struct or variant that is read; and the pattern that binds its fields, with the statements that write them.
    fn shape(&self, ty: Ty, tag: usize, path: &str, read: &str) -> (String, (String, String)) {
        let fields = fields(ty, tag);
        let names: Vec<String> = fields.iter().map(|field| super::names::member(&field.name)).collect();
        let (mut made, mut bound, mut writes) = (Vec::new(), Vec::new(), String::new());
        for (number, name) in names.iter().enumerate() {
            let prefix = if is_positional(fields) { String::new() } else { format!("{name}: ") };
            made.push(format!("{prefix}{read}"));
            bound.push(format!("{prefix}ref x{number}"));
            writes.push_str(&format!("OverdubPacked::write::<SHARED>(x{number}, to);"));
        }
        let of = |parts: &[String]| match (parts.is_empty(), is_positional(fields)) {
            (true, _) => path.to_owned(),
            (false, true) => format!("{path}({})", parts.join(", ")),
            (false, false) => format!("{path} {{ {} }}", parts.join(", ")),
        };
        (of(&made), (of(&bound), writes))
    }
}

/// Whether lists of these elements are shared.
fn is_number(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Int(_) | TyKind::Float(_))
}
