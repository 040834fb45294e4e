//! What is kept of every item.

use std::sync::{Arc, OnceLock, RwLock};

use hashbrown::HashMap;
use overdub_context::{Span, Symbol};

use crate::error::ResolveError;
use crate::hir::*;
use crate::source::SourceId;
use crate::source::item_tree::ItemNode;

/// The macros that text before an item defines, innermost first.
pub(crate) type MacroScope = Option<Arc<MacroLink>>;

/// One of them.
#[derive(Debug)]
pub(crate) struct MacroLink {
    pub(crate) name: Symbol,
    pub(crate) def: DefId,
    pub(crate) next: MacroScope,
}

/// An item.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) head: ItemHead,
    pub(crate) krate: u32,
    /// The module, or the block of a body, whose names it sees.
    pub(crate) scope: DefId,
    pub(crate) source: SourceId,
    pub(crate) raw: ItemNode,
    pub(crate) macros: MacroScope,
    /// What `#[replace_float_literals(…)]` says.
    pub(crate) float_literals: Option<(u32, u32)>,
    /// The attribute macro that may rewrite it, or the item that it is in.
    pub(crate) rewriter: Option<(Symbol, Span)>,
    /// The traits in its `derive`.
    pub(crate) derives: Vec<Symbol>,
    /// Of an impl that `derive` makes: the type and the trait's name.
    pub(crate) derived: Option<(DefId, Symbol)>,
    pub(crate) module: Option<Box<RwLock<Module>>>,
    pub(crate) macro_def: Option<Arc<crate::expand::MacroDef>>,
    answers: OnceLock<Box<Answers>>,
}

/// What has been found out about an item; most items are never asked about.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    pub(crate) declaration: OnceLock<Result<Declaration, ResolveError>>,
    pub(crate) generics: OnceLock<Result<Arc<Generics>, ResolveError>>,
    pub(crate) body: OnceLock<Result<Option<Arc<Body>>, ResolveError>>,
    pub(crate) children: OnceLock<Arc<[DefId]>>,
    /// How deep its text nests.
    pub(crate) levels: OnceLock<usize>,
    /// The text of an impl that `derive` makes.
    pub(crate) made: OnceLock<Result<(SourceId, ItemNode), ResolveError>>,
}

/// What an item is entered with.
#[derive(Debug)]
pub(crate) struct Entered {
    pub(crate) kind: DefKind,
    pub(crate) parent: DefId,
    pub(crate) krate: u32,
    pub(crate) scope: DefId,
    pub(crate) source: SourceId,
    pub(crate) macros: MacroScope,
}

impl Node {
    /// An item of which nothing is known but where it is.
    pub(crate) fn new(entered: Entered, raw: ItemNode) -> Node {
        let Entered { kind, parent, krate, scope, source, macros } = entered;
        let name = if kind == DefKind::Impl { Symbol::new("") } else { raw.name };
        let span = Span::unknown();
        Node {
            head: ItemHead { id: DefId(0), parent, name, kind, span, op: None, lang: None, moves: false },
            krate,
            scope,
            source,
            raw,
            macros,
            float_literals: None,
            rewriter: None,
            derives: Vec::new(),
            derived: None,
            module: None,
            macro_def: None,
            answers: OnceLock::new(),
        }
    }

    /// What has been found out about it.
    pub(crate) fn answers(&self) -> &Answers {
        self.answers.get_or_init(Box::default)
    }
}

/// What an item declares.
#[derive(Clone, Debug)]
pub(crate) enum Declaration {
    Fn(Arc<FnSig>),
    Adt(Arc<Adt>),
    Trait(Arc<Trait>),
    Impl(Arc<Impl>),
    Alias(Arc<AssocType>),
    Const(Arc<Type>),
}

/// The names of a module, or of a block that declares items.
#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) types: HashMap<Symbol, (DefId, bool)>,
    pub(crate) values: HashMap<Symbol, (DefId, bool)>,
    pub(crate) macros: HashMap<Symbol, (DefId, bool)>,
    pub(crate) imports: Vec<Arc<Import>>,
    pub(crate) globs: Vec<Arc<Import>>,
    /// All items in order, for lists.
    pub(crate) items: Vec<DefId>,
    /// The module around it.
    pub(crate) parent: Option<DefId>,
    /// A block in a body: names not found in it are sought around it.
    pub(crate) is_block: bool,
}

/// A leaf of a `use`.
#[derive(Debug)]
pub(crate) struct Import {
    /// The segments before the last; the last too, but of a glob.
    pub(crate) path: Vec<Symbol>,
    /// What it is called here; empty for a glob.
    pub(crate) name: Symbol,
    pub(crate) public: bool,
    /// It began with `::`, or is an `extern crate`.
    pub(crate) external: bool,
    /// `self` in braces: only the type namespace.
    pub(crate) only_types: bool,
}

/// The namespaces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Space {
    Types,
    Values,
    Macros,
}

impl Module {
    pub(crate) fn direct(&self, name: Symbol, space: Space) -> Option<(DefId, bool)> {
        let names = match space {
            Space::Types => &self.types,
            Space::Values => &self.values,
            Space::Macros => &self.macros,
        };
        names.get(&name).copied()
    }
}
