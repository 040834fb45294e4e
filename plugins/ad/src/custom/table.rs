//! The table of custom rules, and the sites that they apply to.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, RwLock};

use overdub_context::engine::Key;
use overdub_context::ir::{Ty, TyKind};
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, Symbol};

use super::named::Scope;
use super::scoped::{ActiveRules, any_scoped_value, scoped_rule_for};
use crate::float_pair::is_float;
use crate::rules::{Library, library};

type OwnedValue = Value<'static>;

/// The value of a function for arguments.
pub(super) type ValueFn = dyn Fn(&[OwnedValue]) -> Result<OwnedValue, Failure> + Send + Sync;
/// The value and the tangent of a function, for arguments and their tangents.
pub(super) type ForwardFn =
    dyn Fn(&[OwnedValue], &[OwnedValue]) -> Result<(OwnedValue, OwnedValue), Failure> + Send + Sync;
/// The cotangents of arguments, for a result and its cotangent.
pub(super) type ReverseFn =
    dyn Fn(&[OwnedValue], &OwnedValue, &OwnedValue) -> Result<OwnedValue, Failure> + Send + Sync;

/// The partial derivatives of a function, computed by a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Partials {
    pub(crate) func: Symbol,
    /// The type of the result: a float, or a tuple with one for each parameter.
    pub(crate) ret: Ty,
    pub(super) params: Vec<Ty>,
}

impl Partials {
    /// Whether the types fit the function of a site.
    pub(crate) fn are_for(&self, site: &Site) -> bool {
        self.params == site.params && is_float(site.ret)
    }
}

/// A function that returns the result of another one and its pullback, a closure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WithPullback {
    pub(crate) func: Symbol,
    pub(crate) params: Vec<Ty>,
    /// The type of the result: a tuple of the result proper and the closure.
    pub(crate) ret: Ty,
    /// The type of the closure's result.
    pub(crate) pullback_ret: Ty,
}

impl WithPullback {
    /// Whether the types fit a function of these types.
    pub(crate) fn is_for(&self, params: &[Ty], ret: Ty) -> bool {
        let TyKind::Tuple(parts) = self.ret.kind() else { return false };
        self.params == params && parts.first() == Some(&ret)
    }
}

/// A custom rule: the derivative of a function.
#[derive(Clone)]
pub(crate) struct Rule {
    /// The path of the function, or the last segments of it.
    pub(super) path: String,
    pub(super) scope: Scope,
    pub(super) value: Option<Arc<ValueFn>>,
    pub(super) forward: Option<Arc<ForwardFn>>,
    pub(super) reverse: Option<Arc<ReverseFn>>,
    pub(crate) partials: Option<Partials>,
    pub(super) pullback: Option<WithPullback>,
    /// The formula for a library function.
    pub(crate) library: Option<Library>,
}

impl Rule {
    pub(super) fn for_path(path: String) -> Rule {
        Rule {
            path,
            scope: Scope::Path,
            value: None,
            forward: None,
            reverse: None,
            partials: None,
            pullback: None,
            library: None,
        }
    }

    /// Whether the rule applies to a function.
    pub(super) fn is_for(&self, func: Symbol) -> bool {
        self.scope.contains(&self.path, func)
    }
}

/// A site: a function with a rule, and its types.
pub(crate) struct Site {
    pub(crate) func: Symbol,
    pub(super) params: Vec<Ty>,
    pub(super) ret: Ty,
    pub(crate) rule: Arc<Rule>,
}

static RULES: RwLock<Vec<Arc<Rule>>> = RwLock::new(Vec::new());
/// Sites are never freed: there is one for each differentiated function with a rule.
static SITES: RwLock<Vec<&'static Site>> = RwLock::new(Vec::new());
static VERSION: AtomicU64 = AtomicU64::new(0);

/// Registers a rule, which replaces an earlier one for the same function.
pub(super) fn register(rule: Rule) {
    let mut rules = RULES.write().unwrap_or_else(PoisonError::into_inner);
    rules.retain(|known| known.path != rule.path);
    rules.push(Arc::new(rule));
    VERSION.fetch_add(1, Ordering::Release);
}

/// The key of a context with the sets of rules that it keeps, and with the version of the table (RULE1).
pub(crate) fn keyed(key: Key, rules: &ActiveRules) -> Key {
    key.with(&(rules, VERSION.load(Ordering::Acquire)))
}

/// The rule for a function: that of the innermost set in whose scope this thread is, or the last one registered.
pub(crate) fn rule_for(func: Symbol) -> Option<Arc<Rule>> {
    scoped_rule_for(func).or_else(|| registered_rule_for(func))
}

fn registered_rule_for(func: Symbol) -> Option<Arc<Rule>> {
    let rules = RULES.read().unwrap_or_else(PoisonError::into_inner);
    rules.iter().rev().find(|rule| rule.is_for(func)).cloned()
}

/// The formula of a library function that has no custom rule.
pub(crate) fn formula_for(func: Symbol, params: &[Ty], ret: Ty) -> Option<Library> {
    library(func, params, ret).filter(|_| rule_for(func).is_none())
}

/// The rule of a library function, made on the first request.
pub(super) fn library_rule(func: Symbol, params: &[Ty], ret: Ty) -> Option<Arc<Rule>> {
    static KNOWN: Mutex<BTreeMap<Symbol, Arc<Rule>>> = Mutex::new(BTreeMap::new());
    let library = library(func, params, ret)?;
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let new = || Arc::new(Rule { library: Some(library), ..Rule::for_path(func.to_string()) });
    Some(known.entry(func).or_insert_with(new).clone())
}

/// Whether any rule has a value closure.
pub(crate) fn any_value() -> bool {
    let rules = RULES.read().unwrap_or_else(PoisonError::into_inner);
    any_scoped_value() || rules.iter().any(|rule| rule.value.is_some())
}

/// The number of a site.
pub(super) fn number_of(func: Symbol, params: &[Ty], ret: Ty, rule: &Arc<Rule>) -> i64 {
    let mut sites = SITES.write().unwrap_or_else(PoisonError::into_inner);
    let is_it = |site: &&'static Site| {
        site.func == func && site.params == params && site.ret == ret && Arc::ptr_eq(&site.rule, rule)
    };
    let number = sites.iter().position(is_it).unwrap_or_else(|| {
        let site = Site { func, params: params.to_vec(), ret, rule: rule.clone() };
        sites.push(Box::leak(Box::new(site)));
        sites.len() - 1
    });
    number as i64
}

/// The rule of sites that have no rule of their own.
pub(super) fn empty_rule() -> Arc<Rule> {
    static PLAIN: LazyLock<Arc<Rule>> = LazyLock::new(|| Arc::new(Rule::for_path(String::new())));
    PLAIN.clone()
}

/// The site whose number is an operand of an operation.
pub(super) fn site_at(number: &Value<'_>) -> Result<&'static Site, Failure> {
    let missing = || Failure::new(FailureKind::Host, "there is no rule of this number");
    number.as_index().and_then(site).ok_or_else(missing)
}

/// The site with a number.
pub(super) fn site(number: usize) -> Option<&'static Site> {
    SITES.read().unwrap_or_else(PoisonError::into_inner).get(number).copied()
}
