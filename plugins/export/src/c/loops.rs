//! Loops, and jumps out of them.

use hashbrown::HashSet;
use overdub_context::ops;

use super::exprs::binds;
use super::stmts::Around;
use super::{Dialect, Printer};
use crate::ast::{Callee, Expr, Label, Local, LoopKind, Stmt, StmtKind};
use crate::error::ExportError;

type Done = Result<(), ExportError>;

impl Printer<'_> {
    pub(super) fn repeated(&mut self, label: Label, kind: &LoopKind, body: &[Stmt]) -> Done {
        self.around.push(Around::Loop(label));
        let done = self.repeated_inside(label, kind, body);
        self.around.pop();
        done?;
        self.target(label, true);
        Ok(())
    }

    fn repeated_inside(&mut self, label: Label, kind: &LoopKind, body: &[Stmt]) -> Done {
        match kind {
            LoopKind::Forever => self.line("for (;;) {"),
            LoopKind::While(cond) => {
                let before = self.out.len();
                let text = self.expr(cond)?.text;
                if self.out.len() == before {
                    self.line(&format!("while ({text}) {{"));
                } else {
                    self.out.truncate(before);
                    self.line("for (;;) {");
                    self.indent += 1;
                    self.tests(cond)?;
                    self.indent -= 1;
                }
            }
            LoopKind::For { counter, from, to, is_reversed } => {
                let (ty, name) = (self.local_ty(*counter)?, self.name(*counter));
                let from = self.expr(from)?;
                let to = self.bound(to, body)?;
                match is_reversed {
                    false => {
                        let from = from.text;
                        self.line(&format!("for ({ty} {name} = {from}; {name} < {to}; {name}++) {{"));
                    }
                    true => {
                        // The counter is one more than the number until the round begins.
                        let from = from.tight(binds::SUM);
                        self.line(&format!("for ({ty} {name} = {to}; {name} > {from};) {{"));
                        self.line(&format!("    {name}--;"));
                    }
                }
            }
        }
        self.indent += 1;
        let before = std::mem::take(&mut self.out);
        let done = self.list(body);
        let text = std::mem::replace(&mut self.out, before);
        // In C++, a jump may not lead past an initialiser to its scope.
        let has_scope = self.dialect == Dialect::Kernel && self.targets.contains(&(label, false));
        if has_scope {
            self.line("{");
        }
        self.out.push_str(&text);
        if has_scope {
            self.line("}");
        }
        self.target(label, false);
        self.indent -= 1;
        self.line("}");
        done
    }

    /// Leaves a loop unless a condition holds, one operand of a conjunction after the other.
    fn tests(&mut self, cond: &Expr) -> Done {
        if let Expr::Apply(apply) = cond
            && apply.callee == Callee::Op(&ops::AND)
        {
            for arg in &apply.args {
                self.tests(&arg.expr)?;
            }
            return Ok(());
        }
        let text = self.expr(cond)?.tight(binds::ATOM);
        self.line(&format!("if (!{text}) {{"));
        self.line("    break;");
        self.line("}");
        Ok(())
    }

    /// The end of a range, which is evaluated once: it gets a name if the loop may change what it reads.
    fn bound(&mut self, to: &Expr, body: &[Stmt]) -> Result<String, ExportError> {
        let mut changed = HashSet::new();
        changes(body, &mut changed);
        let mut is_fixed = true;
        to.for_each_local(&mut |local, _| is_fixed &= !changed.contains(&local));
        let text = self.expr(to)?;
        if is_fixed {
            return Ok(text.tight(binds::SUM));
        }
        let (name, ty) = (self.fresh_name("end"), self.owned(self.ty(to), self.span)?);
        self.line(&format!("{ty} {name} = {};", text.text));
        Ok(name)
    }

    /// The place after a loop or block, or before the end of a loop's body, to which a `goto` leads.
    pub(super) fn target(&mut self, label: Label, is_end: bool) {
        if self.targets.contains(&(label, is_end)) {
            let word = if is_end { "end" } else { "next" };
            self.line(&format!("{word}{}:;", label.0));
        }
    }

    pub(super) fn jump(&mut self, label: Label, is_break: bool) {
        let innermost = if is_break {
            self.around.last().copied()
        } else {
            self.around.iter().rev().copied().find(|around| *around != Around::Switch)
        };
        if innermost == Some(Around::Loop(label)) {
            self.line(if is_break { "break;" } else { "continue;" });
            return;
        }
        self.targets.insert((label, is_break));
        self.line(&format!("goto {}{};", if is_break { "end" } else { "next" }, label.0));
    }
}

/// The locals that are assigned or changed in a list.
fn changes(list: &[Stmt], found: &mut HashSet<Local>) {
    for stmt in list {
        match &stmt.kind {
            StmtKind::Assign { targets, .. } => found.extend(targets.iter().flatten().copied()),
            StmtKind::Update { local, part, .. } => {
                found.insert(*local);
                found.extend(part.iter().copied());
            }
            _ => {}
        }
        stmt.lists().into_iter().for_each(|inner| changes(inner, found));
    }
}
