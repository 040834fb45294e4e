//! Rules for some derivatives only.

use std::cell::RefCell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use overdub_context::Symbol;

use super::table::Rule;
use super::typed::{RuleBuilder, RuleError};

/// Rules that hold for the derivatives taken in [`Rules::during`], and for no others.
///
/// ```
/// # use overdub::prelude::*;
/// use overdub::ad::{Rules, prepare, rule};
///
/// #[dub]
/// fn clipped(x: f64) -> f64 { x }
/// #[dub]
/// fn loss(x: f64, k: f64) -> f64 { k * clipped(x * x) }
///
/// let at_most_one = rule(clipped).reverse(|(_x,): (f64,), _y: f64, dy: f64| (dy.clamp(-1.0, 1.0),));
/// let rules = Rules::new([at_most_one])?;
/// assert_eq!(rules.during(|| gradient(loss, (3.0, 100.0)))?.0, 6.0);
/// assert_eq!(gradient(loss, (3.0, 100.0))?.0, 600.0);
///
/// // What was prepared there keeps them.
/// let prepared = rules.during(|| prepare(loss));
/// assert_eq!(prepared.gradient((3.0, 100.0))?.0, 6.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// In a set, the last of several rules for one function holds. A rule of a set precedes one that is
/// [registered](RuleBuilder::register), and one of a set in whose scope this one is entered.
///
/// Derivatives that a program takes of its own closures, in its body, are by registered rules alone.
#[derive(Clone)]
pub struct Rules(Arc<RuleSet>);

struct RuleSet {
    /// Distinguishes it from all others.
    id: u64,
    rules: Vec<Arc<Rule>>,
}

impl Rules {
    /// The set of these rules.
    ///
    /// # Errors
    /// As [`RuleBuilder::register`].
    pub fn new(rules: impl IntoIterator<Item = RuleBuilder>) -> Result<Rules, RuleError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let rules = rules.into_iter().map(|rule| rule.checked().map(Arc::new)).collect::<Result<_, _>>()?;
        Ok(Rules(Arc::new(RuleSet { id: NEXT.fetch_add(1, Ordering::Relaxed), rules })))
    }

    /// Runs `f`; derivatives that it takes on this thread are by these rules, and so is what it prepares: contexts,
    /// prepared functions, pullbacks and mapped functions keep them, on every thread.
    pub fn during<R>(&self, f: impl FnOnce() -> R) -> R {
        let outer = ActiveRules::current();
        let sets = std::iter::once(self).chain(outer.sets()).cloned().collect();
        ActiveRules(Some(sets)).during(f)
    }
}

// What the closures of rules hold is theirs: a panic in one leaves the set as it is.
impl UnwindSafe for RuleSet {}
impl RefUnwindSafe for RuleSet {}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.rules.iter().map(|rule| &rule.path)).finish()
    }
}

/// The sets of rules in whose scope something is, the innermost first. What takes derivatives keeps those of the place
/// where it was made.
#[derive(Clone, Default, Debug)]
pub struct ActiveRules(Option<Arc<[Rules]>>);

thread_local! {
    static ACTIVE: RefCell<ActiveRules> = const { RefCell::new(ActiveRules::NONE) };
}

impl ActiveRules {
    /// Registered rules alone.
    pub const NONE: ActiveRules = ActiveRules(None);

    /// Those in whose scope this thread is.
    pub fn current() -> ActiveRules {
        ACTIVE.with(|active| active.borrow().clone())
    }

    /// Runs `f` in the scope of these sets and of no others.
    pub fn during<R>(&self, f: impl FnOnce() -> R) -> R {
        /// Leaves the scope, also if `f` panics.
        struct Restored(ActiveRules);
        impl Drop for Restored {
            fn drop(&mut self) {
                ACTIVE.with(|active| std::mem::swap(&mut *active.borrow_mut(), &mut self.0));
            }
        }
        let outer = ACTIVE.with(|active| active.replace(self.clone()));
        let _restored = Restored(outer);
        f()
    }

    fn sets(&self) -> &[Rules] {
        self.0.as_deref().unwrap_or_default()
    }

    /// The rule of the innermost set that has one for a function.
    fn rule_for(&self, func: Symbol) -> Option<Arc<Rule>> {
        self.sets().iter().find_map(|set| set.0.rules.iter().rev().find(|rule| rule.is_for(func)).cloned())
    }

    /// Whether a rule of a set has a value.
    fn any_value(&self) -> bool {
        self.sets().iter().any(|set| set.0.rules.iter().any(|rule| rule.value.is_some()))
    }
}

/// The rule for a function in the scope of this thread.
pub(super) fn scoped_rule_for(func: Symbol) -> Option<Arc<Rule>> {
    ACTIVE.with(|active| active.borrow().rule_for(func))
}

/// Whether a rule in the scope of this thread has a value.
pub(super) fn any_scoped_value() -> bool {
    ACTIVE.with(|active| active.borrow().any_value())
}

impl PartialEq for ActiveRules {
    fn eq(&self, other: &ActiveRules) -> bool {
        let ids = |of: &ActiveRules| of.sets().iter().map(|set| set.0.id).collect::<Vec<_>>();
        ids(self) == ids(other)
    }
}

impl Eq for ActiveRules {}

impl Hash for ActiveRules {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.sets().len().hash(state);
        self.sets().iter().for_each(|set| set.0.id.hash(state));
    }
}
