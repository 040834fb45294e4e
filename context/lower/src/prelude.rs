//! The text of our `std`, as the build script lists it.

/// Paths inside `prelude/` and texts, the root first.
pub(crate) const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/prelude.rs"));

#[cfg(test)]
mod tests {
    use crate::Program;
    use crate::hir::{DefId, DefKind};

    #[test]
    fn every_item_of_the_prelude_resolves() {
        let program = Program::from_source("empty.rs", "").expect("an empty text loads");
        assert!(program.extern_crate(0, overdub_context::Symbol::new("ndarray")).is_some());
        program.expand_all_impls();
        let mut faults: Vec<String> =
            program.own_faults().iter().map(|fault| format!("{}: {fault}", fault.span)).collect();
        let mut at = 0;
        while at < program.count() {
            let def = DefId(at as u32);
            let head = program.head(def);
            let result = match head.kind {
                DefKind::Fn | DefKind::AssocFn => program.fn_sig(def).and(program.body(def).map(drop)),
                DefKind::Const | DefKind::Static | DefKind::AssocConst => {
                    program.const_type(def).and(program.body(def).map(drop))
                }
                DefKind::Struct | DefKind::Enum => program.adt(def).map(drop),
                DefKind::Trait => program.trait_(def).map(drop),
                DefKind::Impl => program.impl_(def).map(drop),
                DefKind::TypeAlias | DefKind::AssocType => program.assoc_type(def).map(drop),
                DefKind::Mod | DefKind::Macro | DefKind::Variant => Ok(()),
            };
            if let Err(fault) = result {
                faults.push(format!("{} {}: {fault}", program.path(def), fault.span));
            }
            at += 1;
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}
