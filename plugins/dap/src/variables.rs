//! `scopes`, `variables`, `setVariable`: values as trees, long arrays by ranges or pages.

use dapts::{
    Scope as ToldScope, ScopePresentationHint as Hint, ScopesArguments, ScopesResponse, SetVariableArguments,
    SetVariableResponse, Variable, VariablesArguments, VariablesArgumentsFilter as Filter, VariablesResponse,
};
use overdub_ad::flatten::floats;
use overdub_context::value::Value;
use overdub_debugger::{Session, Variable as Held};

use crate::client::Conventions;
use crate::program::{Program, Then};
use crate::references::{Part, References, Referent, Root, Scope};
use crate::refusal::Refusal;
use crate::values::{self, Shape};

/// Elements are listed up to this number; longer arrays are listed as ranges of this many elements or ranges.
const RANGE: usize = 100;

/// The greatest number of elements in a response that the client requests as a page.
const PAGE: usize = 10_000;

/// `scopes`
pub(crate) fn scopes(
    program: &mut Program,
    _: Conventions,
    asked: ScopesArguments,
) -> Result<(ScopesResponse, Then), Refusal> {
    let frame = program.references.frame_of(asked.frame_id)?;
    let held = program.session().variables(frame)?;
    let mut scopes = Vec::new();
    for (scope, name, hint) in [
        (Scope::Locals, "Locals", Some(Hint::Locals)),
        (Scope::Arguments, "Arguments", Some(Hint::Arguments)),
        (Scope::Tangents, "Tangents", None),
        (Scope::Cotangents, "Cotangents", None),
    ] {
        let count = held.iter().filter(|held| in_scope(held, scope).is_some()).count();
        if count == 0 && hint.is_none() {
            continue;
        }
        scopes.push(ToldScope {
            name: name.to_owned(),
            presentation_hint: hint,
            variables_reference: program.references.add(Referent::Scope(frame, scope))?,
            named_variables: u32::try_from(count).ok(),
            indexed_variables: None,
            expensive: false,
            source: None,
            line: None,
            column: None,
            end_line: None,
            end_column: None,
        });
    }
    Ok((ScopesResponse { scopes }, Then::Nothing))
}

/// What a scope shows of a variable, if the variable is in the scope.
fn in_scope(held: &Held, scope: Scope) -> Option<&Value<'static>> {
    // A value without floats has neither tangent nor cotangent.
    let derivative = |of: Option<&'_ Value<'static>>| of.filter(|of| !floats(of).is_empty()).is_some();
    match scope {
        Scope::Arguments => held.is_param.then_some(&held.value),
        Scope::Locals => (!held.is_param).then_some(&held.value),
        Scope::Tangents if derivative(held.tangent.as_ref()) => held.tangent.as_ref(),
        Scope::Cotangents if derivative(held.cotangent.as_ref()) => held.cotangent.as_ref(),
        Scope::Tangents | Scope::Cotangents => None,
    }
}

/// `variables`
pub(crate) fn variables(
    program: &mut Program,
    conventions: Conventions,
    asked: VariablesArguments,
) -> Result<(VariablesResponse, Then), Refusal> {
    let referent = program.references.variables_of(asked.variables_reference)?;
    let Program { script, references, .. } = program;
    let session = script.session();
    let start = asked.start.map_or(0, |start| usize::try_from(start).unwrap_or(usize::MAX));
    let count = asked.count.filter(|&count| count > 0);
    let count = count.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    let mut telling = Telling { references, conventions };
    let variables = match referent {
        Referent::Scope(..) if asked.filter == Some(Filter::Indexed) => Vec::new(),
        Referent::Scope(frame, scope) => {
            let held = session.variables(frame)?;
            let shown = held.iter().filter_map(|held| Some((held, in_scope(held, scope)?)));
            let paged = shown.skip(start).take(count.unwrap_or(usize::MAX));
            paged.map(|(held, value)| telling.held((frame, scope), held, value)).collect::<Result<_, _>>()?
        }
        Referent::Value(part) => {
            let value = resolve(session, &part)?;
            match (values::shape(&value), asked.filter) {
                (Shape::Fields(fields), None | Some(Filter::Named)) => {
                    let paged = (0..fields.len()).skip(start).take(count.unwrap_or(usize::MAX));
                    paged.map(|at| telling.field(&part, &value, &fields, at)).collect::<Result<_, _>>()?
                }
                (Shape::Elements(len), None | Some(Filter::Indexed)) => {
                    let end = start.saturating_add(count.unwrap_or(usize::MAX)).min(len);
                    telling.elements(&part, &value, start.min(end), end, count.is_some())?
                }
                _ => Vec::new(),
            }
        }
        Referent::Range(part, from, to) => {
            let value = resolve(session, &part)?;
            let from = from.saturating_add(start).min(to);
            let end = from.saturating_add(count.unwrap_or(usize::MAX)).min(to);
            telling.elements(&part, &value, from, end, count.is_some())?
        }
        Referent::Frame(_) | Referent::Moment(_) => Vec::new(),
    };
    Ok((VariablesResponse { variables }, Then::Nothing))
}

/// The current value of a part.
fn resolve(session: &Session, part: &Part) -> Result<Value<'static>, Refusal> {
    let root = match &part.root {
        Root::Result(value) => value.clone(),
        Root::Variable(frame, name) => {
            let found = session.variables(*frame)?.into_iter().find(|held| held.name == *name);
            found.ok_or_else(|| Refusal::NotAPlace(name.to_string()))?.value
        }
    };
    let gone = || Refusal::NotAPlace(part.path.clone().unwrap_or_default());
    part.steps.iter().try_fold(root, |value, &at| values::part(&value, at).ok_or_else(gone))
}

/// The variable or part with this name in a list of variables.
pub(crate) fn named(program: &mut Program, number: u32, name: &str) -> Result<Option<Part>, Refusal> {
    let referent = program.references.variables_of(number)?;
    let session = program.session();
    Ok(match referent {
        Referent::Scope(frame, scope) => {
            let held = session.variables(frame)?;
            let found = held.iter().find(|held| in_scope(held, scope).is_some() && &*held.name == name);
            found.filter(|_| !is_derived(scope)).map(|held| of_held(frame, held))
        }
        Referent::Value(part) | Referent::Range(part, ..) => {
            let value = resolve(session, &part)?;
            match values::shape(&value) {
                Shape::Fields(fields) => {
                    let at = fields.iter().position(|(field, _)| field == name);
                    at.map(|at| inside(&part, &value, at, format!(".{name}")))
                }
                Shape::Elements(len) => {
                    let at = name.trim_matches(['[', ']']).parse().ok().filter(|&at: &usize| at < len);
                    at.map(|at| inside(&part, &value, at, format!("[{at}]")))
                }
                Shape::Whole => None,
            }
        }
        Referent::Frame(_) | Referent::Moment(_) => None,
    })
}

/// Whether a scope shows derivatives, which are not places.
fn is_derived(scope: Scope) -> bool {
    matches!(scope, Scope::Tangents | Scope::Cotangents)
}

fn of_held(frame: usize, held: &Held) -> Part {
    let (root, path) = (Root::Variable(frame, held.name), Some(held.name.to_string()));
    Part { root, steps: Vec::new(), path }
}

/// A part of a part.
fn inside(part: &Part, value: &Value<'static>, at: usize, suffix: String) -> Part {
    let path = part.path.as_ref().filter(|_| values::has_places(value)).map(|path| path.clone() + &suffix);
    let steps = part.steps.iter().copied().chain([at]).collect();
    Part { root: part.root.clone(), steps, path }
}

/// Describes values to the client.
pub(crate) struct Telling<'p> {
    pub(crate) references: &'p mut References,
    pub(crate) conventions: Conventions,
}

/// The description of a value, without its name.
pub(crate) struct Told {
    /// The reference to its parts; 0 if it has none.
    pub(crate) reference: u32,
    pub(crate) named: Option<u32>,
    pub(crate) indexed: Option<u32>,
}

impl Telling<'_> {
    /// The reference to the parts of a value.
    pub(crate) fn parts(&mut self, part: Part, value: &Value<'static>) -> Result<Told, Refusal> {
        let (named, indexed) = match values::shape(value) {
            Shape::Whole | Shape::Elements(0) => {
                return Ok(Told { reference: 0, named: None, indexed: None });
            }
            Shape::Fields(fields) => (u32::try_from(fields.len()).ok(), None),
            // A client without pages would expect that many elements in the response.
            Shape::Elements(_) if !self.conventions.pages => (None, None),
            Shape::Elements(len) => (None, u32::try_from(len).ok().filter(|&len| len <= i32::MAX as u32)),
        };
        let reference = self.references.add(Referent::Value(part))?;
        Ok(Told { reference, named, indexed })
    }

    fn held(
        &mut self,
        (frame, scope): (usize, Scope),
        held: &Held,
        value: &Value<'static>,
    ) -> Result<Variable, Refusal> {
        let part = match is_derived(scope) {
            true => Part { root: Root::Result(value.clone()), steps: Vec::new(), path: None },
            false => of_held(frame, held),
        };
        let mut told = self.variable(held.name.to_string(), part, value)?;
        told.ty = Some(held.ty.to_string());
        Ok(told)
    }

    fn variable(&mut self, name: String, part: Part, value: &Value<'static>) -> Result<Variable, Refusal> {
        let evaluate_name = part.path.clone();
        let Told { reference, named, indexed } = self.parts(part, value)?;
        Ok(Variable {
            name,
            value: values::brief(value),
            ty: values::type_of(value),
            evaluate_name,
            variables_reference: reference,
            named_variables: named,
            indexed_variables: indexed,
            presentation_hint: None,
            memory_reference: None,
            declaration_location_reference: None,
            value_location_reference: None,
        })
    }

    fn field(
        &mut self,
        of: &Part,
        whole: &Value<'static>,
        fields: &[(String, Value<'static>)],
        at: usize,
    ) -> Result<Variable, Refusal> {
        let (name, value) = &fields[at];
        self.variable(name.clone(), inside(of, whole, at, format!(".{name}")), value)
    }

    /// Some elements; without pages, as ranges if there are many.
    fn elements(
        &mut self,
        of: &Part,
        whole: &Value<'static>,
        from: usize,
        to: usize,
        is_page: bool,
    ) -> Result<Vec<Variable>, Refusal> {
        let count = to - from;
        if count <= RANGE || is_page && count <= PAGE {
            let element = |at: usize| {
                let value = values::part(whole, at);
                let value = value.ok_or_else(|| Refusal::NotAPlace(format!("[{at}]")))?;
                self.variable(format!("[{at}]"), inside(of, whole, at, format!("[{at}]")), &value)
            };
            return (from..to).map(element).collect();
        }
        let mut width = RANGE;
        while count.div_ceil(width) > RANGE {
            width = width.saturating_mul(RANGE);
        }
        let range = |first: usize| {
            let last = first.saturating_add(width).min(to) - 1;
            let reference = self.references.add(Referent::Range(of.clone(), first, last + 1))?;
            Ok(Variable {
                name: format!("[{first}..={last}]"),
                value: format!("{} elements", last + 1 - first),
                ty: None,
                evaluate_name: None,
                variables_reference: reference,
                named_variables: None,
                indexed_variables: None,
                presentation_hint: None,
                memory_reference: None,
                declaration_location_reference: None,
                value_location_reference: None,
            })
        };
        (from..to).step_by(width).map(range).collect()
    }
}

/// `setVariable`
pub(crate) fn set(
    program: &mut Program,
    conventions: Conventions,
    asked: SetVariableArguments,
) -> Result<(SetVariableResponse, Then), Refusal> {
    let SetVariableArguments { variables_reference, name, value, .. } = asked;
    let part = named(program, variables_reference, &name)?;
    let not_a_place = || Refusal::NotAPlace(name.clone());
    let Some(part) = part else { return Err(not_a_place()) };
    let (Root::Variable(frame, _), Some(path)) = (&part.root, &part.path) else { return Err(not_a_place()) };
    let Program { script, references, .. } = program;
    let session = script.session();
    session.set(*frame, path, &value)?;
    let value = resolve(session, &part)?;
    let told = Telling { references, conventions }.parts(part, &value)?;
    let response = SetVariableResponse {
        value: values::brief(&value),
        ty: values::type_of(&value),
        variables_reference: Some(told.reference),
        named_variables: told.named,
        indexed_variables: told.indexed,
        ..SetVariableResponse::default()
    };
    Ok((response, Then::Nothing))
}
