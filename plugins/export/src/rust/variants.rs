//! Branches on enums, and their fields by patterns.

use overdub_context::ir::{Ty, TyKind};

use super::layout::{LET_ELSE_WIDTH, MAX_WIDTH, STRUCT_WIDTH, split_fields};
use super::literals::Known;
use super::rows::binds;
use super::stmts::Tail;
use super::{Printer, member};
use crate::ast::{Apply, Arm, Expr, Local, LoopKind, Stmt, StmtKind};
use crate::error::ExportError;
use crate::nominal::{fields, is_boxed, is_positional};
use crate::ownership::is_copied;
use crate::scopes::constant_index;

type Done = Result<(), ExportError>;

impl Printer<'_> {
    /// A branch on a number or enum between the start and the end of a statement.
    pub(super) fn switch(
        &mut self,
        (on, ty, arms, otherwise): (&Expr, Ty, &[Arm], Option<&[Stmt]>),
        (before, after): (&str, &str),
        tail: Tail,
    ) -> Done {
        let subject = self.expr(on, Known::Nothing)?.text;
        let is_ref = matches!(on, Expr::Local(local) if self.locals[local.0 as usize].is_ref);
        // Fields that are bound are copied.
        let binds = arms.iter().any(|arm| !arm.bound.is_empty());
        let subject = match ty.kind() {
            TyKind::Enum(_) if binds && is_ref => format!("*{subject}"),
            TyKind::Enum(_) if !binds && !is_copied(ty) && !is_ref => format!("&{subject}"),
            _ => subject,
        };
        let variants = ty.as_nominal().and_then(|nominal| nominal.variants());
        let covers_all = variants.is_some_and(|variants| {
            (0..variants.len() as i128).all(|tag| arms.iter().any(|arm| arm.values.contains(&tag)))
        });
        let otherwise = if covers_all { None } else { otherwise };
        if let ([arm], Some([])) = (arms, otherwise)
            && let [value] = arm.values[..]
        {
            let head = match ty.kind() {
                TyKind::Enum(_) => {
                    format!("if let {} = {subject} {{", self.variant_with(ty, value as usize, &arm.bound)?)
                }
                _ => format!("if {subject} == {} {{", pattern_of(ty, value)),
            };
            self.line(&head);
            self.nested(&arm.body, tail)?;
            self.line("}");
            return Ok(());
        }
        self.line(&format!("{before}match {subject} {{"));
        self.indent += 1;
        for (number, Arm { values, bound, body }) in arms.iter().enumerate() {
            let is_last = number + 1 == arms.len() && otherwise.is_none();
            let mut patterns = Vec::new();
            for value in values {
                patterns.push(match ty.kind() {
                    TyKind::Enum(_) => self.variant_with(ty, *value as usize, bound)?,
                    _ => pattern_of(ty, *value),
                });
            }
            let pattern = if is_last && !covers_all && bound.is_empty() {
                "_".to_owned()
            } else {
                patterns.join(" | ")
            };
            self.arm(&pattern, body, tail)?;
        }
        if let Some(body) = otherwise {
            self.arm("_", body, tail)?;
        }
        self.indent -= 1;
        self.line(&format!("}}{after}"));
        Ok(())
    }

    pub(super) fn arm(&mut self, pattern: &str, body: &[Stmt], tail: Tail) -> Done {
        let is_tail = tail != Tail::Statement;
        let pattern = &broken(pattern);
        let is_unit = tail == Tail::Return
            && matches!(body, [Stmt { kind: StmtKind::Return(_), .. }])
            && self.ret == Ty::unit();
        if body.is_empty() || is_unit {
            self.line(&format!("{pattern} => {{}}"));
            return Ok(());
        }
        let before = std::mem::take(&mut self.out);
        let done = self.nested(body, tail);
        let text = std::mem::replace(&mut self.out, before);
        done?;
        let is_expression = match body {
            [Stmt { kind: StmtKind::Return(_), .. }] => tail == Tail::Return,
            // An `Err` that is returned is a statement.
            [Stmt { kind: StmtKind::Fail(_), .. }] => {
                is_tail && (!self.returns_failures() || tail == Tail::Return)
            }
            [Stmt { kind: StmtKind::Assign { .. }, .. }] => matches!(tail, Tail::Value(_)),
            [Stmt { kind: StmtKind::Switch { .. }, .. }] => true,
            [Stmt { kind: StmtKind::Loop { kind: LoopKind::Forever, .. }, .. }] => true,
            _ => false,
        };
        // A single expression needs no braces, unless it is an `if` or does not fit.
        let first = text.trim_start();
        let is_call = matches!(body, [Stmt { kind: StmtKind::Fail(_), .. }]) || text.lines().count() == 1;
        let is_block = matches!(body, [Stmt { kind: StmtKind::Switch { .. } | StmtKind::Loop { .. }, .. }]);
        let width =
            self.indent * 4 + pattern.len() + 4 + first.lines().next().map_or(0, |line| line.chars().count());
        if is_expression
            && (is_call || is_block)
            && !first.starts_with("//")
            && !first.starts_with("if ")
            && width < MAX_WIDTH
        {
            let pad = "    ".repeat(self.indent + 1);
            let dedented: Vec<&str> =
                text.lines().map(|line| line.strip_prefix(&*pad).unwrap_or(line)).collect();
            self.line(&format!("{pattern} => {},", dedented.join("\n")));
            return Ok(());
        }
        self.line(&format!("{pattern} => {{"));
        self.out.push_str(&text);
        self.line("}");
        Ok(())
    }

    /// The pattern of a variant that binds some of its fields.
    pub(super) fn variant_with(
        &mut self,
        ty: Ty,
        tag: usize,
        bound: &[(usize, Local)],
    ) -> Result<String, ExportError> {
        if bound.is_empty() {
            return self.any_variant(ty, tag);
        }
        let path = self.types.variant(ty, tag, &mut self.names).map_err(self.no_type(self.span))?;
        let fields = fields(ty, tag);
        let name = |number: usize| {
            bound.iter().find(|(known, _)| *known == number).map(|(_, local)| self.name(*local))
        };
        if is_positional(fields) {
            let each = (0..fields.len()).map(|number| name(number).unwrap_or_else(|| "_".to_owned()));
            return Ok(format!("{path}({})", each.collect::<Vec<_>>().join(", ")));
        }
        let each = fields.iter().enumerate().filter_map(|(number, field)| {
            let (field, name) = (member(&field.name), name(number)?);
            Some(if field == name { field } else { format!("{field}: {name}") })
        });
        let mut each: Vec<String> = each.collect();
        if each.len() < fields.len() {
            each.push("..".to_owned());
        }
        Ok(format!("{path} {{ {} }}", each.join(", ")))
    }

    /// The pattern of a variant, whatever its fields.
    pub(super) fn any_variant(&mut self, ty: Ty, tag: usize) -> Result<String, ExportError> {
        let path = self.types.variant(ty, tag, &mut self.names).map_err(self.no_type(self.span))?;
        let fields = fields(ty, tag);
        Ok(match fields.len() {
            0 => path,
            1 if is_positional(fields) => format!("{path}(_)"),
            _ if is_positional(fields) => format!("{path}(..)"),
            _ => format!("{path} {{ .. }}"),
        })
    }

    /// A field of an enum that is not used, which must exist.
    pub(super) fn checked_variant(&mut self, apply: &Apply) -> Done {
        let tag = constant_index(&apply.args[1].expr).unwrap_or(0);
        let subject = self.expr(&apply.args[0].expr, Known::Nothing)?;
        let pattern = self.any_variant(apply.tys[0], tag)?;
        let methods = [("Some(_)", "is_some"), ("None", "is_none"), ("Ok(_)", "is_ok"), ("Err(_)", "is_err")];
        match methods.iter().find(|(of, _)| *of == pattern) {
            Some((_, method)) => self.line(&format!("assert!({}.{method}());", subject.tight(binds::ATOM))),
            None => self.line(&format!("assert!(matches!({}, {pattern}));", subject.text)),
        }
        Ok(())
    }

    /// A field of an enum, by a pattern.
    pub(super) fn payload(&mut self, target: Local, apply: &Apply, declares: bool) -> Done {
        let (Some(tag), Some(number)) =
            (constant_index(&apply.args[1].expr), constant_index(&apply.args[2].expr))
        else {
            return Err(self.unsupported("a field of an enum by a number that is not constant", apply.span));
        };
        let of = apply.tys[0];
        let info = self.locals[target.0 as usize].clone();
        let is_boxed = is_boxed(of, tag, number);
        let is_read = is_copied(apply.ty) && !is_boxed;
        let subject = &apply.args[0].expr;
        let subject = match (is_read, subject) {
            (true, Expr::Local(local)) if self.locals[local.0 as usize].is_ref => {
                format!("*{}", self.name(*local))
            }
            (true, _) => self.expr(subject, Known::Nothing)?.text,
            (false, _) => self.reference(subject)?.text,
        };
        let is_plain = declares && (is_read || info.is_ref && !is_boxed);
        let bound = match (is_plain, declares) {
            (true, _) => self.pattern(target),
            (false, true) => self.name(target),
            (false, false) => "field".to_owned(),
        };
        let pattern = self.variant_pattern(of, tag, number, &bound)?;
        let has_others =
            of.as_nominal().and_then(|nominal| nominal.variants()).is_some_and(|all| all.len() > 1);
        let head = format!("let {pattern} = {subject}");
        let tail = "unreachable!()";
        match has_others {
            false => self.line(&format!("{head};")),
            true if head.len() + 8 + tail.len() + 3 <= LET_ELSE_WIDTH => {
                self.line(&format!("{head} else {{ {tail} }};"));
            }
            true => {
                self.line(&format!("{head} else {{"));
                self.line(&format!("    {tail}"));
                self.line("};");
            }
        }
        if is_plain {
            return Ok(());
        }
        let value = match (is_read, info.is_ref, is_boxed) {
            (true, ..) => bound,
            (false, true, true) => format!("{bound}.as_ref()"),
            (false, true, false) => bound,
            (false, false, true) => format!("(**{bound}).clone()"),
            (false, false, false) => format!("{bound}.clone()"),
        };
        let (before, name) = if declares { ("let ", self.pattern(target)) } else { ("", self.name(target)) };
        self.line(&format!("{before}{name} = {value};"));
        Ok(())
    }

    /// The pattern of a variant that binds one field.
    pub(super) fn variant_pattern(
        &mut self,
        ty: Ty,
        tag: usize,
        number: usize,
        bound: &str,
    ) -> Result<String, ExportError> {
        let path = self.types.variant(ty, tag, &mut self.names).map_err(self.no_type(self.span))?;
        let fields = fields(ty, tag);
        if is_positional(fields) {
            let each: Vec<&str> = (0..fields.len()).map(|n| if n == number { bound } else { "_" }).collect();
            return Ok(format!("{path}({})", each.join(", ")));
        }
        let field = fields.get(number).map(|field| member(&field.name)).unwrap_or_default();
        let field = if field == bound { field } else { format!("{field}: {bound}") };
        let rest = if fields.len() > 1 { ", .." } else { "" };
        Ok(format!("{path} {{ {field}{rest} }}"))
    }
}

/// A pattern with a line for each field, if they are too long for one.
fn broken(pattern: &str) -> String {
    let Some((path, fields)) = pattern.strip_suffix(" }").and_then(|pattern| pattern.split_once(" { "))
    else {
        return pattern.to_owned();
    };
    if fields.chars().count() <= STRUCT_WIDTH || pattern.contains(" | ") {
        return pattern.to_owned();
    }
    let lines = split_fields(fields).into_iter();
    let lines: String = lines
        .map(|field| if field == ".." { format!("    {field}\n") } else { format!("    {field},\n") })
        .collect();
    format!("{path} {{\n{lines}}}")
}

/// The pattern of a number or character.
fn pattern_of(ty: Ty, value: i128) -> String {
    match ty.kind() {
        TyKind::Char => {
            u32::try_from(value).ok().and_then(char::from_u32).map_or("_".into(), |c| format!("{c:?}"))
        }
        _ => value.to_string(),
    }
}
