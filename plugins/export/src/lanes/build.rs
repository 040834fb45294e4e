//! A function as statements for all lanes.

use hashbrown::{HashMap, HashSet};
use overdub_context::Span;
use overdub_context::ir::{Ty, TyKind};

use super::exits::assigned;
use super::tapes::Tape;
use super::temporaries::{make_temporaries, remove_unread, used};
use super::{Form, InLanes, Lane, LaneFunction, LaneParam, Step, is_scalar, refused};
use crate::ast::{Function, Label, Local, LocalInfo, Stmt};
use crate::error::ExportError;

/// The most memory on the stack that arrays may take.
const MOST_STACK_BYTES: usize = 1 << 20;

/// What makes statements for all lanes.
pub(super) struct Builder<'f> {
    pub(super) function: &'f Function,
    pub(super) locals: Vec<LocalInfo>,
    pub(super) arrays: HashSet<Local>,
    /// In how many scopes a local was declared.
    pub(super) declared: HashMap<Local, usize>,
    pub(super) scopes: Vec<Scope>,
    /// The finished statements.
    pub(super) steps: Vec<Step>,
    /// Those of the next loop over the lanes.
    group: Vec<Lane>,
    /// The masks that it makes.
    made: HashSet<Local>,
    group_calls: bool,
    pub(super) results: Vec<Local>,
    /// The parameters of which each element has its own, and those that the function changes, with what they begin with.
    pub(super) given: Vec<Local>,
    pub(super) changed: Vec<(Local, Local)>,
    /// The locals for the scalars of tuples and structs, and the tapes.
    pub(super) parts: HashMap<Local, Vec<Local>>,
    pub(super) tapes: HashMap<Local, Tape>,
    pub(super) tape_rows: Vec<Local>,
    pub(super) uniform_stacks: HashSet<Local>,
    pub(super) uniform_depths: Vec<Local>,
    pub(super) borrowed: HashSet<Local>,
    pub(super) may_fail: bool,
    /// Whether elementary functions are those of [`overdub_passes::fast_math`].
    pub(super) is_fast: bool,
    /// The place of the current statement.
    pub(super) span: Span,
}

/// Statements that a mask holds for.
pub(super) struct Scope {
    pub(super) label: Option<Label>,
    pub(super) mask: Option<Local>,
}

/// The function for the elements of slices, `width` of them side by side; the parameters in `fixed` have one argument for all.
/// `names` are those of the slices for the parts of the result.
pub(crate) fn in_lanes(
    function: &Function,
    (width, is_fast): (usize, bool),
    fixed: &[bool],
    names: &dyn Fn(usize) -> String,
) -> Result<LaneFunction, ExportError> {
    let mut builder = Builder {
        function,
        locals: function.locals.clone(),
        arrays: HashSet::new(),
        declared: HashMap::new(),
        scopes: Vec::new(),
        steps: Vec::new(),
        group: Vec::new(),
        made: HashSet::new(),
        group_calls: false,
        results: Vec::new(),
        given: Vec::new(),
        changed: Vec::new(),
        parts: HashMap::new(),
        tapes: HashMap::new(),
        tape_rows: Vec::new(),
        uniform_stacks: HashSet::new(),
        uniform_depths: Vec::new(),
        borrowed: HashSet::new(),
        may_fail: false,
        is_fast,
        span: function.span,
    };
    let mut params = Vec::new();
    for (number, &param) in function.params.iter().enumerate() {
        let info = function.locals[param.0 as usize].clone();
        if fixed.get(number).copied().unwrap_or(false) || !is_scalar(info.ty) {
            if !is_scalar(info.ty) || !assigned(&function.body).contains(&param) {
                params.push(LaneParam::Fixed(param));
                continue;
            }
            // What changes may differ from lane to lane.
            let first = builder.add(LocalInfo { is_mut: false, ..info });
            builder.given.push(param);
            builder.changed.push((param, first));
            params.push(LaneParam::Fixed(first));
            continue;
        }
        builder.given.push(param);
        let slice = LocalInfo { ty: Ty::array(info.ty, 1), is_ref: true, is_mut: false, ..info };
        let slice = builder.add(slice);
        params.push(LaneParam::Each(InLanes { slice, lanes: param }));
    }
    let mut parts = Vec::new();
    flatten(function.ret, &mut parts);
    if parts.is_empty() || !parts.iter().all(|ty| is_scalar(*ty)) {
        let construct = format!("it returns `{}`, which is no number, nor a tuple of numbers", function.ret);
        return Err(refused(function, construct, function.span));
    }
    let mut results = Vec::new();
    for (number, ty) in parts.into_iter().enumerate() {
        let lanes = builder.new_local(ty, Some("result"));
        builder.declared.insert(lanes, 0);
        builder.results.push(lanes);
        let name = Some(names(number));
        let slice = LocalInfo { ty: Ty::array(ty, 1), name, is_ref: true, is_mut: true };
        results.push(InLanes { slice: builder.add(slice), lanes });
    }
    builder.arrays.extend(builder.given.clone());
    builder.find_uniform(true);
    let form = builder.form()?;
    let mut made = LaneFunction {
        symbol: function.symbol,
        span: function.span,
        width,
        params,
        results,
        locals: builder.locals,
        arrays: builder.arrays,
        tape_rows: builder.tape_rows,
        uniform_depths: builder.uniform_depths,
        borrowed: builder.borrowed,
        form,
        may_fail: builder.may_fail,
        plain_from: None,
    };
    remove_unread(&mut made);
    make_temporaries(&mut made);
    let used = used(&made);
    if !made.results.iter().all(|result| used.contains(&result.lanes)) {
        return Err(refused(function, "no element has a result", function.span));
    }
    made.arrays.retain(|local| used.contains(local));
    if let Form::Refilled(of) = &made.form {
        made.arrays.extend([of.starts, of.runs].into_iter().chain(of.lives));
    }
    if made.arrays.len() * width * size_of::<u64>() > MOST_STACK_BYTES {
        let construct =
            format!("{width} of them have {} arrays, more than a megabyte of stack", made.arrays.len());
        return Err(refused(function, construct, function.span));
    }
    for param in &made.params {
        if let LaneParam::Fixed(local) = param
            && !used.contains(local)
            && let Some(name) = &mut made.locals[local.0 as usize].name
        {
            name.insert(0, '_');
        }
    }
    Ok(made)
}

/// The scalars of a type.
fn flatten(ty: Ty, parts: &mut Vec<Ty>) {
    match ty.kind() {
        TyKind::Tuple(inner) => inner.iter().for_each(|ty| flatten(*ty, parts)),
        TyKind::Unit => {}
        _ => parts.push(ty),
    }
}

impl Builder<'_> {
    /// All statements so far.
    pub(super) fn taken(&mut self) -> Vec<Step> {
        self.flush();
        std::mem::take(&mut self.steps)
    }

    pub(super) fn add(&mut self, info: LocalInfo) -> Local {
        self.locals.push(info);
        Local(self.locals.len() as u32 - 1)
    }

    /// A new local with a value for each lane.
    pub(super) fn new_local(&mut self, ty: Ty, name: Option<&str>) -> Local {
        let local = self.add(LocalInfo { ty, name: name.map(str::to_owned), is_ref: false, is_mut: false });
        self.arrays.insert(local);
        self.declared.insert(local, self.scopes.len());
        local
    }

    /// A new mask.
    pub(super) fn new_mask(&mut self, name: &str) -> Local {
        self.new_local(Ty::u64(), Some(name))
    }

    /// A number of lanes, which is zero from here on.
    pub(super) fn new_count(&mut self) -> Local {
        let count = self.new_local(Ty::u64(), Some("count"));
        self.make_uniform(count);
        count
    }

    /// Gives a local one value for all lanes.
    pub(super) fn make_uniform(&mut self, local: Local) {
        self.arrays.remove(&local);
    }

    /// The mask of the lanes that run.
    pub(super) fn mask(&self) -> Option<Local> {
        self.scopes.iter().rev().find_map(|scope| scope.mask)
    }

    pub(super) fn enter(&mut self, label: Option<Label>, mask: Option<Local>) {
        self.scopes.push(Scope { label, mask });
    }

    pub(super) fn leave_scope(&mut self) {
        self.scopes.pop();
    }

    /// Begins a loop over the lanes for calls, which are not vectorised.
    pub(super) fn begin_calls(&mut self) {
        if !self.group_calls {
            self.flush();
        }
        self.group_calls = true;
    }

    /// Adds a statement for each lane.
    pub(super) fn put(&mut self, lane: Lane) {
        let decides = match &lane {
            Lane::Blend { runs, .. } => Some(*runs),
            Lane::Clear { by, .. } => Some(*by),
            Lane::Copy { from, .. } => *from,
            _ => None,
        };
        let is_call = matches!(lane, Lane::SetIf { .. });
        if self.group_calls != is_call && self.group_calls
            || decides.is_some_and(|mask| self.made.contains(&mask))
        {
            self.flush();
        }
        if let Lane::Mask { mask, .. } = &lane {
            self.made.insert(*mask);
        }
        self.group.push(lane);
    }

    /// Ends the loop over the lanes.
    pub(super) fn flush(&mut self) {
        self.made.clear();
        self.group_calls = false;
        if self.group.is_empty() {
            return;
        }
        let group = std::mem::take(&mut self.group);
        let counts = group.iter().filter_map(|lane| match lane {
            Lane::Count { count, .. } => Some(Step::NoLane(*count)),
            _ => None,
        });
        let counts: Vec<Step> = counts.collect();
        self.steps.extend(counts);
        let may_fail = group.iter().any(|lane| matches!(lane, Lane::Fail { .. }));
        self.steps.push(Step::Lanes(group));
        self.steps.extend(may_fail.then_some(Step::StopIfFailed));
    }

    /// Statements one after the other.
    pub(super) fn list(&mut self, list: &[Stmt]) -> Result<(), ExportError> {
        for stmt in list {
            self.span = stmt.span;
            self.stmt(stmt)?;
        }
        Ok(())
    }
}
