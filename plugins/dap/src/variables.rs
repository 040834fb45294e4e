//! `scopes`, `variables`, `setVariable`: values as trees, long arrays by ranges or pages.

use dapts::{
    Scope as ToldScope, ScopePresentationHint as Hint, ScopesArguments, ScopesResponse, SetVariableArguments,
    SetVariableResponse, Variable, VariablesArguments, VariablesArgumentsFilter as Filter, VariablesResponse,
};
use overdub_ad::flatten::floats;
use overdub_context::value::Value;
use overdub_debugger::{Session, Variable as ProgramVariable};

use crate::client::Conventions;
use crate::program::{Program, Then};
use crate::references::{References, Referent, Root, VariablePart, VariableScope};
use crate::refusal::Refusal;
use crate::values::{self, ValueShape};

/// Elements are listed up to this number; longer arrays are listed as ranges of this many elements or ranges.
const RANGE: usize = 100;

/// The greatest number of elements in a response that the client requests as a page.
const PAGE: usize = 10_000;

/// `scopes`
pub(crate) fn scopes(
    program: &mut Program,
    _: Conventions,
    args: ScopesArguments,
) -> Result<(ScopesResponse, Then), Refusal> {
    let frame = program.references.frame_of(args.frame_id)?;
    let variables = program.session().variables(frame)?;
    let mut scopes = Vec::new();
    for (scope, name, hint) in [
        (VariableScope::Locals, "Locals", Some(Hint::Locals)),
        (VariableScope::Arguments, "Arguments", Some(Hint::Arguments)),
        (VariableScope::Tangents, "Tangents", None),
        (VariableScope::Cotangents, "Cotangents", None),
    ] {
        let count = variables.iter().filter(|variable| in_scope(variable, scope).is_some()).count();
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
fn in_scope(variable: &ProgramVariable, scope: VariableScope) -> Option<&Value<'static>> {
    // A value without floats has neither tangent nor cotangent.
    let derivative = |of: Option<&'_ Value<'static>>| of.filter(|of| !floats(of).is_empty()).is_some();
    match scope {
        VariableScope::Arguments => variable.is_param.then_some(&variable.value),
        VariableScope::Locals => (!variable.is_param).then_some(&variable.value),
        VariableScope::Tangents if derivative(variable.tangent.as_ref()) => variable.tangent.as_ref(),
        VariableScope::Cotangents if derivative(variable.cotangent.as_ref()) => variable.cotangent.as_ref(),
        VariableScope::Tangents | VariableScope::Cotangents => None,
    }
}

/// `variables`
pub(crate) fn variables(
    program: &mut Program,
    conventions: Conventions,
    args: VariablesArguments,
) -> Result<(VariablesResponse, Then), Refusal> {
    let referent = program.references.variables_of(args.variables_reference)?;
    let Program { script, references, .. } = program;
    let session = script.session();
    let start = args.start.map_or(0, |start| usize::try_from(start).unwrap_or(usize::MAX));
    let count = args.count.filter(|&count| count > 0);
    let count = count.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    let mut describer = Describer { references, conventions };
    let variables = match referent {
        Referent::Scope(..) if args.filter == Some(Filter::Indexed) => Vec::new(),
        Referent::Scope(frame, scope) => {
            let all = session.variables(frame)?;
            let shown = all.iter().filter_map(|variable| Some((variable, in_scope(variable, scope)?)));
            let paged = shown.skip(start).take(count.unwrap_or(usize::MAX));
            paged
                .map(|(variable, value)| describer.describe_variable((frame, scope), variable, value))
                .collect::<Result<_, _>>()?
        }
        Referent::Value(part) => {
            let value = resolve(session, &part)?;
            match (values::shape(&value), args.filter) {
                (ValueShape::Fields(fields), None | Some(Filter::Named)) => {
                    let paged = (0..fields.len()).skip(start).take(count.unwrap_or(usize::MAX));
                    paged.map(|at| describer.field(&part, &value, &fields, at)).collect::<Result<_, _>>()?
                }
                (ValueShape::Elements(len), None | Some(Filter::Indexed)) => {
                    let end = start.saturating_add(count.unwrap_or(usize::MAX)).min(len);
                    describer.elements(&part, &value, start.min(end), end, count.is_some())?
                }
                _ => Vec::new(),
            }
        }
        Referent::Range(part, from, to) => {
            let value = resolve(session, &part)?;
            let from = from.saturating_add(start).min(to);
            let end = from.saturating_add(count.unwrap_or(usize::MAX)).min(to);
            describer.elements(&part, &value, from, end, count.is_some())?
        }
        Referent::Frame(_) | Referent::Moment(_) => Vec::new(),
    };
    Ok((VariablesResponse { variables }, Then::Nothing))
}

/// The current value of a part.
fn resolve(session: &Session, part: &VariablePart) -> Result<Value<'static>, Refusal> {
    let root = match &part.root {
        Root::Result(value) => value.clone(),
        Root::Variable(frame, name) => {
            let found = session.variables(*frame)?.into_iter().find(|variable| variable.name == *name);
            found.ok_or_else(|| Refusal::NotAPlace(name.to_string()))?.value
        }
    };
    let no_place = || Refusal::NotAPlace(part.path.clone().unwrap_or_default());
    part.steps.iter().try_fold(root, |value, &at| values::part(&value, at).ok_or_else(no_place))
}

/// The variable or part with this name in a list of variables.
pub(crate) fn named(program: &mut Program, number: u32, name: &str) -> Result<Option<VariablePart>, Refusal> {
    let referent = program.references.variables_of(number)?;
    let session = program.session();
    Ok(match referent {
        Referent::Scope(frame, scope) => {
            let variables = session.variables(frame)?;
            let found = variables
                .iter()
                .find(|variable| in_scope(variable, scope).is_some() && &*variable.name == name);
            found.filter(|_| !is_derived(scope)).map(|variable| part_of_variable(frame, variable))
        }
        Referent::Value(part) | Referent::Range(part, ..) => {
            let value = resolve(session, &part)?;
            match values::shape(&value) {
                ValueShape::Fields(fields) => {
                    let at = fields.iter().position(|(field, _)| field == name);
                    at.map(|at| inside(&part, &value, at, format!(".{name}")))
                }
                ValueShape::Elements(len) => {
                    let at = name.trim_matches(['[', ']']).parse().ok().filter(|&at: &usize| at < len);
                    at.map(|at| inside(&part, &value, at, format!("[{at}]")))
                }
                ValueShape::Leaf => None,
            }
        }
        Referent::Frame(_) | Referent::Moment(_) => None,
    })
}

/// Whether a scope shows derivatives, which are not places.
fn is_derived(scope: VariableScope) -> bool {
    matches!(scope, VariableScope::Tangents | VariableScope::Cotangents)
}

fn part_of_variable(frame: usize, variable: &ProgramVariable) -> VariablePart {
    let (root, path) = (Root::Variable(frame, variable.name), Some(variable.name.to_string()));
    VariablePart { root, steps: Vec::new(), path }
}

/// A part of a part.
fn inside(part: &VariablePart, value: &Value<'static>, at: usize, suffix: String) -> VariablePart {
    let path = part.path.as_ref().filter(|_| values::has_places(value)).map(|path| path.clone() + &suffix);
    let steps = part.steps.iter().copied().chain([at]).collect();
    VariablePart { root: part.root.clone(), steps, path }
}

/// Describes values to the client.
pub(crate) struct Describer<'p> {
    pub(crate) references: &'p mut References,
    pub(crate) conventions: Conventions,
}

/// The description of a value, without its name.
pub(crate) struct Description {
    /// The reference to its parts; 0 if it has none.
    pub(crate) reference: u32,
    pub(crate) named: Option<u32>,
    pub(crate) indexed: Option<u32>,
}

impl Describer<'_> {
    /// The reference to the parts of a value.
    pub(crate) fn parts(
        &mut self,
        part: VariablePart,
        value: &Value<'static>,
    ) -> Result<Description, Refusal> {
        let (named, indexed) = match values::shape(value) {
            ValueShape::Leaf | ValueShape::Elements(0) => {
                return Ok(Description { reference: 0, named: None, indexed: None });
            }
            ValueShape::Fields(fields) => (u32::try_from(fields.len()).ok(), None),
            // A client without pages would expect that many elements in the response.
            ValueShape::Elements(_) if !self.conventions.pages => (None, None),
            ValueShape::Elements(len) => {
                (None, u32::try_from(len).ok().filter(|&len| len <= i32::MAX as u32))
            }
        };
        let reference = self.references.add(Referent::Value(part))?;
        Ok(Description { reference, named, indexed })
    }

    fn describe_variable(
        &mut self,
        (frame, scope): (usize, VariableScope),
        variable: &ProgramVariable,
        value: &Value<'static>,
    ) -> Result<Variable, Refusal> {
        let part = match is_derived(scope) {
            true => VariablePart { root: Root::Result(value.clone()), steps: Vec::new(), path: None },
            false => part_of_variable(frame, variable),
        };
        let mut description = self.variable(variable.name.to_string(), part, value)?;
        description.ty = Some(variable.ty.to_string());
        Ok(description)
    }

    fn variable(
        &mut self,
        name: String,
        part: VariablePart,
        value: &Value<'static>,
    ) -> Result<Variable, Refusal> {
        let evaluate_name = part.path.clone();
        let Description { reference, named, indexed } = self.parts(part, value)?;
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
        of: &VariablePart,
        container: &Value<'static>,
        fields: &[(String, Value<'static>)],
        at: usize,
    ) -> Result<Variable, Refusal> {
        let (name, value) = &fields[at];
        self.variable(name.clone(), inside(of, container, at, format!(".{name}")), value)
    }

    /// Some elements; without pages, as ranges if there are many.
    fn elements(
        &mut self,
        of: &VariablePart,
        container: &Value<'static>,
        from: usize,
        to: usize,
        is_page: bool,
    ) -> Result<Vec<Variable>, Refusal> {
        let count = to - from;
        if count <= RANGE || is_page && count <= PAGE {
            let element = |at: usize| {
                let value = values::part(container, at);
                let value = value.ok_or_else(|| Refusal::NotAPlace(format!("[{at}]")))?;
                self.variable(format!("[{at}]"), inside(of, container, at, format!("[{at}]")), &value)
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
    args: SetVariableArguments,
) -> Result<(SetVariableResponse, Then), Refusal> {
    let SetVariableArguments { variables_reference, name, value, .. } = args;
    let part = named(program, variables_reference, &name)?;
    let not_a_place = || Refusal::NotAPlace(name.clone());
    let Some(part) = part else { return Err(not_a_place()) };
    let (Root::Variable(frame, _), Some(path)) = (&part.root, &part.path) else { return Err(not_a_place()) };
    let Program { script, references, .. } = program;
    let session = script.session();
    session.set(*frame, path, &value)?;
    let value = resolve(session, &part)?;
    let described = Describer { references, conventions }.parts(part, &value)?;
    let response = SetVariableResponse {
        value: values::brief(&value),
        ty: values::type_of(&value),
        variables_reference: Some(described.reference),
        named_variables: described.named,
        indexed_variables: described.indexed,
        ..SetVariableResponse::default()
    };
    Ok((response, Then::Nothing))
}
