//! Runs functions block by block; if a branch is undecided, every path is taken up to the block where they
//! join.
//!
//! This is an abstract interpretation (Cousot and Cousot, *Abstract Interpretation: A Unified Lattice Model*,
//! 1977). Values that do not depend on active values are known exactly, so loops over ranges and indices are
//! followed one iteration at a time. A loop whose exit is undecided runs to a fixed point: its state is
//! joined until it no longer changes, with widening if that takes long.
//!
//! - PATHS1 the block where the paths join is the immediate post-dominator, so open regions nest.
//! - PATHS2 a path that fails contributes nothing: where the program fails there is no derivative.

use hashbrown::HashMap;
use overdub_context::value::Value;
use overdub_context::{Failure, FailureKind, Span};

use super::abstract_value::Abstract;
use super::analysis::{Analysis, PathEnd, PathResult};
use super::code::{Arg, BlockCode, Code, Edge, End, What};
use super::error::DetectError;
use super::state::State;

/// The number of iterations for which a loop with an undecided exit is followed one at a time while another
/// exit is decided: for a loop in no other undecided one, for one that is in one, and late in the analysis.
const MAX_ITERATIONS: [u64; 3] = [100_000, 64, 4];

/// The number of visits of an undecided branch, and the number for each iteration of the loop around it,
/// beyond which its paths are assumed to multiply: if each iteration branches and a path in it returns, the
/// paths only join at the end of the function.
const MULTIPLYING: [u64; 2] = [64, 8];

/// The number of joins of a loop's state after which an array that still changes is widened to one element:
/// early, and late.
const MAX_JOINS: [u64; 2] = [16, 3];

/// The region between an undecided branch and the block where its paths join.
struct Region {
    join: Option<u32>,
    /// Paths still to be taken: where they begin, the state there, and [`Activation::depths`].
    pending: Vec<(u32, State, Box<[u64]>)>,
    joined: Option<State>,
    /// The visits, by the block of an undecided branch.
    visits: HashMap<u32, Visits>,
}

/// The visits of an undecided branch inside one region.
#[derive(Default)]
struct Visits {
    count: u64,
    /// The iterations of the loop around it that a decided exit had allowed at the last visit.
    iterations: u64,
    /// The most iterations of that loop on a path to the branch.
    deepest: u64,
    /// The join of the states of all visits, once it runs to a fixed point, and the number of joins that
    /// changed it.
    fixed_point: Option<State>,
    joins: u64,
}

/// A run of a function.
pub(super) struct Activation<'c> {
    code: &'c Code,
    vars: Vec<Value<'static>>,
    regions: Vec<Region>,
    /// The variables that were set since a path began.
    touched: Vec<u32>,
    /// The join of what the function returns on the paths that have ended, with the cells there.
    returned: Option<State>,
    /// For each loop, how often a decided branch that may leave it was taken.
    iterations: Vec<u64>,
    /// The same numbers on the current path.
    depths: Box<[u64]>,
    failure: Option<Failure>,
}

#[cold]
pub(super) fn no_return_failure() -> Failure {
    Failure::new(FailureKind::Panic, "the function does not return for any input")
}

/// Only the program's own failures end a path quietly (PATHS2).
fn of_program(stop: PathEnd) -> PathEnd {
    use FailureKind::{Bounds, DivisionByZero, Domain, Overflow, Panic};
    match stop {
        PathEnd::Fails(failure)
            if matches!(failure.kind(), Bounds | DivisionByZero | Domain | Overflow | Panic) =>
        {
            PathEnd::Fails(failure)
        }
        PathEnd::Fails(failure) => PathEnd::Ends(DetectError::Program(failure)),
        ends @ PathEnd::Ends(_) => ends,
    }
}

pub(super) fn located(stop: PathEnd, span: Span) -> PathEnd {
    match stop {
        PathEnd::Fails(failure) => PathEnd::Fails(failure.at(span)),
        ends @ PathEnd::Ends(_) => ends,
    }
}

impl<'c> Activation<'c> {
    pub(super) fn run(
        analysis: &mut Analysis,
        code: &'c Code,
        args: Vec<Value<'static>>,
    ) -> PathResult<Value<'static>> {
        let mut vars = vec![Value::Unit; code.tys.len()];
        for (param, arg) in code.params.iter().zip(args) {
            vars[*param as usize] = arg;
        }
        let mut activation = Activation {
            code,
            vars,
            regions: Vec::new(),
            touched: Vec::new(),
            returned: None,
            iterations: vec![0; code.loops],
            depths: vec![0; code.loops].into(),
            failure: None,
        };
        let mut at = Some(0);
        while let Some(block) = at {
            at = match activation.block(analysis, block) {
                Ok(next) => next,
                Err(PathEnd::Fails(failure)) => {
                    activation.failure = Some(failure);
                    activation.next_path(analysis)?
                }
                Err(ends) => return Err(ends),
            };
        }
        let Some(state) = activation.returned else {
            return Err(PathEnd::Fails(activation.failure.unwrap_or_else(no_return_failure)));
        };
        analysis.cells = state.cells;
        Ok(state.values.into_iter().next().map_or(Value::Unit, |(_, value)| value))
    }

    fn arg(&mut self, arg: Arg) -> Value<'static> {
        match arg {
            Arg::Copy(var) => self.vars[var as usize].clone(),
            Arg::Move(var) => self.vars[var as usize].take(),
            Arg::Const(at) => self.code.consts[at as usize].clone(),
        }
    }

    /// Runs a block; returns the block to run next, or `None` if no path is left.
    fn block(&mut self, analysis: &mut Analysis, at: u32) -> PathResult<Option<u32>> {
        let code = self.code;
        let block = &code.blocks[at as usize];
        let is_undecided = !self.regions.is_empty();
        for inst in &block.insts {
            analysis.step()?;
            let mut args: smallvec::SmallVec<[Value<'static>; 4]> =
                inst.args.iter().map(|arg| self.arg(*arg)).collect();
            analysis.floats.at(inst.span);
            let value = match &inst.what {
                What::Const(at) => Ok(code.consts[*at as usize].clone()),
                What::Op(op, kind) => analysis.operation(op, kind, inst.ret, &mut args, inst.span),
                What::Call(name) => analysis.call_func(*name, args.into_vec(), inst.span),
                What::CallValue => {
                    let callee = args.remove(0);
                    analysis.call_value(&callee, args.into_vec(), inst.span)
                }
            };
            self.vars[inst.result as usize] = value.map_err(|stop| of_program(located(stop, inst.span)))?;
            if is_undecided {
                self.touched.push(inst.result);
            }
        }
        analysis.step()?;
        self.end_block(analysis, at, block)
    }

    fn end_block(
        &mut self,
        analysis: &mut Analysis,
        at: u32,
        block: &'c BlockCode,
    ) -> PathResult<Option<u32>> {
        match &block.end {
            End::Br(edge) => Ok(self.follow(analysis, edge)?),
            End::BrIf(cond, then, otherwise) => {
                let cond = self.arg(*cond);
                match cond.as_bool() {
                    Some(cond) => self.decided(analysis, block, if cond { then } else { otherwise }),
                    None => self.branch_all(analysis, at, block, &[then, otherwise]),
                }
            }
            End::Switch(on, cases, otherwise) => {
                let on = self.arg(*on);
                let numbers = numbers(&on);
                let edge = |number: i128| {
                    cases
                        .iter()
                        .find(|(case, _)| *case == number)
                        .map(|(_, edge)| edge)
                        .or(otherwise.as_ref())
                };
                let edges: Vec<&Edge> = match &numbers {
                    Some(numbers) => {
                        let mut edges: Vec<&Edge> =
                            numbers.iter().filter_map(|number| edge(*number)).collect();
                        edges.dedup_by(|a, b| std::ptr::eq(*a, *b));
                        edges
                    }
                    None => cases.iter().map(|(_, edge)| edge).chain(otherwise.as_ref()).collect(),
                };
                match edges.as_slice() {
                    [] => Err(PathEnd::Fails(no_return_failure())),
                    [edge] => self.decided(analysis, block, edge),
                    edges => self.branch_all(analysis, at, block, edges),
                }
            }
            End::Ret(value) => {
                let value = self.arg(*value);
                let state = State::new(vec![(0, value)], analysis.cells.clone());
                analysis.join_into(&mut self.returned, state)?;
                self.next_path(analysis)
            }
            End::Fail(message) => {
                let message = self.arg(*message);
                let text = message.as_str().unwrap_or("a panic").to_owned();
                Err(PathEnd::Fails(Failure::new(FailureKind::Panic, text).at(block.span)))
            }
        }
    }

    fn decided(
        &mut self,
        analysis: &mut Analysis,
        block: &BlockCode,
        edge: &Edge,
    ) -> PathResult<Option<u32>> {
        for left in &block.exited_loops {
            self.iterations[*left as usize] += 1;
            self.depths[*left as usize] += 1;
        }
        self.follow(analysis, edge)
    }

    /// Follows an edge with the current state.
    fn follow(&mut self, analysis: &mut Analysis, edge: &Edge) -> PathResult<Option<u32>> {
        let code = self.code;
        let target = &code.blocks[edge.block as usize];
        match edge.args.as_ref() {
            [] => {}
            [arg] => self.vars[target.params[0] as usize] = self.arg(*arg),
            args => {
                let values: smallvec::SmallVec<[Value<'static>; 8]> =
                    args.iter().map(|arg| self.arg(*arg)).collect();
                for (param, value) in target.params.iter().zip(values) {
                    self.vars[*param as usize] = value;
                }
            }
        }
        if !self.regions.is_empty() {
            self.touched.extend(&target.params);
        }
        for dead in &edge.dying {
            if !target.params.contains(dead) {
                self.vars[*dead as usize] = Value::Unit;
            }
        }
        self.at_join(analysis, edge.block)
    }

    /// If this is the block where the paths of the innermost region join, the current path ends.
    fn at_join(&mut self, analysis: &mut Analysis, at: u32) -> PathResult<Option<u32>> {
        if self.regions.last().is_none_or(|region| region.join != Some(at)) {
            return Ok(Some(at));
        }
        let state = self.save(analysis, at);
        let region = self.regions.last_mut().expect("there is a region");
        analysis.join_into(&mut region.joined, state)?;
        self.next_path(analysis)
    }

    /// Moves the current state out.
    fn save(&mut self, analysis: &Analysis, at: u32) -> State {
        let live = &self.code.blocks[at as usize].live;
        let values = live.iter().map(|var| (*var, self.vars[*var as usize].take())).collect();
        State::new(values, analysis.cells.clone())
    }

    fn restore(&mut self, analysis: &mut Analysis, state: State) {
        for (var, value) in state.values {
            self.vars[var as usize] = value;
            self.touched.push(var);
        }
        analysis.cells = state.cells;
    }

    /// The next path to be taken, with its state; closes regions all of whose paths have been taken.
    fn next_path(&mut self, analysis: &mut Analysis) -> PathResult<Option<u32>> {
        // Values left behind by the last path would keep references to arrays that another path might change
        // in place.
        for var in self.touched.drain(..) {
            self.vars[var as usize] = Value::Unit;
        }
        while let Some(region) = self.regions.last_mut() {
            if let Some((at, state, depths)) = region.pending.pop() {
                self.depths = depths;
                self.restore(analysis, state);
                // The path may begin where the paths join: the branch then has an empty arm.
                if region_joins(&self.regions, at) {
                    let state = self.save(analysis, at);
                    let region = self.regions.last_mut().expect("there is a region");
                    analysis.join_into(&mut region.joined, state)?;
                    continue;
                }
                return Ok(Some(at));
            }
            let region = self.regions.pop().expect("there is a region");
            analysis.undecided -= 1;
            analysis.sets.remember_all(analysis.undecided > 0);
            if self.regions.is_empty() {
                self.mark(analysis, false);
            }
            if let (Some(at), Some(mut state)) = (region.join, region.joined) {
                state.apply_patches();
                self.restore(analysis, state);
                // The block may also be where the paths of the enclosing region join.
                if region_joins(&self.regions, at) {
                    let state = self.save(analysis, at);
                    let outer = self.regions.last_mut().expect("there is a region");
                    analysis.join_into(&mut outer.joined, state)?;
                    continue;
                }
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    fn mark(&self, analysis: &mut Analysis, undecided: bool) {
        if let Some(entry) = analysis.running.last_mut() {
            entry.1 = undecided;
        }
    }

    /// Takes every one of these edges.
    fn branch_all(
        &mut self,
        analysis: &mut Analysis,
        at: u32,
        block: &'c BlockCode,
        edges: &[&'c Edge],
    ) -> PathResult<Option<u32>> {
        if self.regions.last().is_none_or(|region| region.join != block.join) {
            let region =
                Region { join: block.join, pending: Vec::new(), joined: None, visits: HashMap::new() };
            self.regions.push(region);
            analysis.undecided += 1;
            analysis.sets.remember_all(true);
            self.mark(analysis, true);
        }
        if !self.visit(analysis, at, block, edges)? {
            return self.next_path(analysis);
        }
        for edge in edges {
            self.touched.extend(&self.code.blocks[edge.block as usize].live);
        }
        // All but the first wait, with copies of what they need; the first continues with the state itself.
        for edge in edges.iter().skip(1).rev() {
            let state = self.state_after(analysis, edge);
            let depths = self.depths.clone();
            let region = self.regions.last_mut().expect("there is a region");
            region.pending.push((edge.block, state, depths));
        }
        self.follow(analysis, edges[0])
    }

    /// Records another visit of an undecided branch; returns whether the state contains anything new.
    fn visit(
        &mut self,
        analysis: &mut Analysis,
        at: u32,
        block: &BlockCode,
        edges: &[&Edge],
    ) -> PathResult<bool> {
        let iterations = block.innermost.map_or(0, |id| self.iterations[id as usize]);
        let depth = block.innermost.map_or(0, |id| self.depths[id as usize]);
        let most = match (analysis.undecided, analysis.is_late()) {
            (0 | 1, _) => MAX_ITERATIONS[0].max(2 * analysis.inputs as u64),
            (_, false) => MAX_ITERATIONS[1],
            (_, true) => MAX_ITERATIONS[2],
        };
        let visits = self.regions.last_mut().expect("there is a region").visits.entry(at).or_default();
        visits.count += 1;
        visits.deepest = visits.deepest.max(depth);
        let [few, each] = MULTIPLYING;
        let most = most.min(few.saturating_add(each.saturating_mul(visits.deepest)));
        let has_progressed =
            block.innermost.is_some() && iterations > visits.iterations && visits.count < most;
        visits.iterations = iterations;
        if visits.count == 1 || has_progressed && visits.fixed_point.is_none() {
            return Ok(true);
        }
        let mut fixed_point = visits.fixed_point.take();
        visits.joins += 1;
        let widens = visits.joins > MAX_JOINS[usize::from(analysis.is_late())];
        let vars = self.live_before(edges);
        let values = vars.into_iter().map(|var| (var, self.vars[var as usize].clone())).collect();
        let state = State::new(values, analysis.cells.clone());
        analysis.compares = true;
        analysis.widens = widens;
        let joined = analysis.join_into(&mut fixed_point, state);
        (analysis.compares, analysis.widens) = (false, false);
        let is_new = joined?;
        if let Some(state) = &fixed_point
            && is_new
        {
            self.restore(analysis, state.clone());
        }
        let visits = self.regions.last_mut().expect("there is a region").visits.entry(at).or_default();
        visits.fixed_point = fixed_point;
        Ok(is_new)
    }

    /// The variables that are live before a branch: its arguments, and those used after it.
    fn live_before(&self, edges: &[&Edge]) -> Vec<u32> {
        let mut vars = Vec::new();
        for edge in edges {
            vars.extend(edge.args.iter().filter_map(|arg| match arg {
                Arg::Copy(var) | Arg::Move(var) => Some(*var),
                Arg::Const(_) => None,
            }));
            let target = &self.code.blocks[edge.block as usize];
            vars.extend(target.live.iter().filter(|var| !target.params.contains(var)));
        }
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// A copy of the state after an edge.
    fn state_after(&mut self, analysis: &Analysis, edge: &Edge) -> State {
        let target = &self.code.blocks[edge.block as usize];
        let mut values = Vec::with_capacity(target.live.len());
        for var in &target.live {
            let value = match target.params.iter().position(|param| param == var) {
                Some(at) => self.arg(edge.args[at]),
                None => self.vars[*var as usize].clone(),
            };
            values.push((*var, value));
        }
        State::new(values, analysis.cells.clone())
    }
}

fn region_joins(regions: &[Region], at: u32) -> bool {
    regions.last().is_some_and(|region| region.join == Some(at))
}

/// The numbers that a value may be switched on; `None` if any is possible.
fn numbers(on: &Value<'static>) -> Option<Vec<i128>> {
    match on {
        Value::Composite(composite) => Some(vec![composite.tag.into()]),
        Value::Char(c) => Some(vec![u32::from(*c).into()]),
        Value::Bool(b) => Some(vec![i128::from(*b)]),
        Value::Opaque(_) => match Abstract::of(on)? {
            Abstract::OneOf(values) => {
                let mut all = values.iter().map(numbers).collect::<Option<Vec<_>>>()?.concat();
                all.sort_unstable();
                all.dedup();
                Some(all)
            }
            _ => None,
        },
        other => Some(vec![other.as_int()?.1]),
    }
}
