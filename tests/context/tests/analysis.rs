//! Analyses against naive oracles, on random control flow graphs and on deep ones.

use overdub_context::analysis::{Cfg, Dominators, Frontiers, Liveness, LoopNest, PostDominators};
use overdub_context::ir::{
    Block, BlockBody, Func, Inst, InstKind, Operand, Target, Terminator, TerminatorKind, Ty, Var, VarDef,
};
use overdub_context::ops;
use overdub_context::{Span, Symbol};
use proptest::prelude::*;

/// A function whose blocks go where `edges` says; block `i` uses the variables `uses[i]` and defines variable `i`.
fn graph(edges: &[Vec<usize>], uses: &[Vec<usize>]) -> Func {
    let span = Span::unknown();
    let neg = ops::by_name("neg").unwrap();
    let mut func = Func {
        name: Symbol::new("g"),
        ret: Ty::f64(),
        span,
        blocks: Vec::new(),
        vars: Vec::new(),
        debug: None,
    };
    func.vars = vec![VarDef { ty: Ty::f64(), name: None }; edges.len()];
    for (i, targets) in edges.iter().enumerate() {
        let to = |&block: &usize| Target::from(Block(block as u32));
        let kind = match &targets[..] {
            [] => TerminatorKind::Ret(0.0.into()),
            [only] => TerminatorKind::Br(to(only)),
            [then, otherwise, ..] => {
                TerminatorKind::BrIf { cond: true.into(), then: to(then), otherwise: to(otherwise) }
            }
        };
        let args = uses.get(i).into_iter().flatten().map(|&var| Operand::Var(Var(var as u32))).collect();
        let inst = Inst { result: Var(i as u32), kind: InstKind::Op { op: neg, args }, span };
        let terminator = Some(Terminator { kind, span });
        func.blocks.push(BlockBody { name: None, params: Vec::new(), insts: vec![inst], terminator });
    }
    func
}

/// What can be reached from `from` without going through `without`.
fn reach(edges: &[Vec<usize>], from: usize, without: Option<usize>) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut work = vec![from];
    while let Some(block) = work.pop() {
        if Some(block) != without && !std::mem::replace(&mut seen[block], true) {
            work.extend(edges[block].iter().take(2));
        }
    }
    seen
}

/// Up to 9 blocks, each with up to 2 ways on, and the variables that each uses.
fn graphs() -> impl Strategy<Value = (Vec<Vec<usize>>, Vec<Vec<usize>>)> {
    (1usize..10).prop_flat_map(|n| {
        let lists = |most| prop::collection::vec(prop::collection::vec(0..n, 0..=most), n);
        (lists(2), lists(2))
    })
}

fn block(i: usize) -> Block {
    Block(i as u32)
}

proptest! {
    #![proptest_config(overdub_context::testing::cases(256))]

    #[test]
    fn a_block_dominates_what_cannot_be_reached_without_it((edges, _) in graphs()) {
        let cfg = Cfg::new(&graph(&edges, &[]));
        let dominators = Dominators::new(&cfg);
        let reachable = reach(&edges, 0, None);
        for a in 0..edges.len() {
            let around = reach(&edges, 0, Some(a));
            for b in 0..edges.len() {
                let expected = reachable[a] && reachable[b] && !around[b];
                prop_assert_eq!(dominators.dominates(block(a), block(b)), expected, "{} {}", a, b);
            }
            if let Some(idom) = dominators.idom(block(a)) {
                let strict = |&b: &usize| b != a && dominators.dominates(block(b), block(a));
                prop_assert!((0..edges.len()).filter(strict).all(|b| dominators.dominates(block(b), idom)));
                prop_assert!(dominators.children(idom).any(|child| child == block(a)));
            } else {
                prop_assert!(a == 0 || !reachable[a]);
            }
        }
    }

    #[test]
    fn a_block_post_dominates_what_cannot_end_without_it((edges, _) in graphs()) {
        let cfg = Cfg::new(&graph(&edges, &[]));
        let post = PostDominators::new(&cfg);
        let reachable = reach(&edges, 0, None);
        let ends = |from, without| {
            reach(&edges, from, without).iter().zip(&edges).any(|(seen, ways)| *seen && ways.is_empty())
        };
        for a in 0..edges.len() {
            for b in 0..edges.len() {
                let counts = reachable[a] && reachable[b] && ends(b, None) && ends(a, None);
                let expected = counts && (a == b || !ends(b, Some(a)));
                prop_assert_eq!(post.post_dominates(block(a), block(b)), expected, "{} {}", a, b);
            }
        }
    }

    #[test]
    fn a_frontier_is_where_what_a_block_dominates_ends((edges, _) in graphs()) {
        let cfg = Cfg::new(&graph(&edges, &[]));
        let dominators = Dominators::new(&cfg);
        let frontiers = Frontiers::new(&cfg, &dominators);
        for a in (0..edges.len()).map(block) {
            let ends = |&b: &Block| {
                let enters = cfg.preds(b).iter().any(|&pred| dominators.dominates(a, pred));
                enters && (a == b || !dominators.dominates(a, b))
            };
            let mut found = frontiers.of(a).to_vec();
            found.sort();
            let expected: Vec<Block> = (0..edges.len()).map(block).filter(ends).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_reverse_postorder_puts_a_block_after_one_that_leads_to_it((edges, _) in graphs()) {
        let cfg = Cfg::new(&graph(&edges, &[]));
        let reachable = reach(&edges, 0, None);
        let mut found: Vec<usize> = cfg.reverse_postorder().iter().map(|block| block.index()).collect();
        for pair in 1..found.len() {
            let before = &found[..pair];
            prop_assert!(cfg.preds(block(found[pair])).iter().any(|pred| before.contains(&pred.index())));
        }
        found.sort();
        prop_assert_eq!(found, (0..edges.len()).filter(|&b| reachable[b]).collect::<Vec<_>>());
    }

    #[test]
    fn a_loop_is_what_leads_back_to_its_header((edges, _) in graphs()) {
        let cfg = Cfg::new(&graph(&edges, &[]));
        let dominators = Dominators::new(&cfg);
        let nest = LoopNest::new(&cfg, &dominators);
        let reachable = reach(&edges, 0, None);
        let is_back = |h: usize, pred: Block| dominators.dominates(block(h), pred);
        let headers = (0..edges.len()).filter(|&h| cfg.preds(block(h)).iter().any(|&pred| is_back(h, pred)));
        prop_assert_eq!(headers.count(), nest.iter().count());
        for (id, found) in nest.iter() {
            let header = found.header.index();
            // Without going through the header, what reaches one of its latches.
            let member = |b: usize| {
                let latch = |latch: &Block| b == latch.index() || reach(&edges, b, Some(header))[latch.index()];
                reachable[b] && (b == header || found.latches.iter().any(latch))
            };
            for b in 0..edges.len() {
                prop_assert_eq!(nest.contains(id, block(b)), member(b), "loop at {} block {}", header, b);
            }
            let around = nest.iter().filter(|&(other, _)| nest.contains(other, found.header)).count();
            prop_assert_eq!(found.depth as usize, around);
        }
    }

    #[test]
    fn a_graph_is_irreducible_where_a_circle_has_no_block_that_dominates_it((edges, _) in graphs()) {
        let cfg = Cfg::new(&graph(&edges, &[]));
        let dominators = Dominators::new(&cfg);
        // What is left without the edges back to a dominator has a circle just where the graph is irreducible.
        let forward = |b: usize| {
            let ways = edges[b].iter().take(2).copied();
            ways.filter(|&to| !dominators.dominates(block(to), block(b))).collect::<Vec<_>>()
        };
        let forward: Vec<Vec<usize>> = (0..edges.len()).map(forward).collect();
        let reachable = reach(&edges, 0, None);
        let circle = (0..edges.len())
            .filter(|&b| reachable[b])
            .any(|b| forward[b].iter().any(|&next| reach(&forward, next, None)[b]));
        prop_assert_eq!(!LoopNest::new(&cfg, &dominators).irreducible().is_empty(), circle);
    }

    #[test]
    fn a_variable_is_alive_where_a_use_can_be_reached_without_its_definition((edges, mut uses) in graphs()) {
        // Block `v` defines variable `v`, and does not use it before.
        uses.iter_mut().enumerate().for_each(|(v, uses)| uses.retain(|&used| used != v));
        let func = graph(&edges, &uses);
        let liveness = Liveness::new(&func);
        for b in 0..edges.len() {
            for v in (0..edges.len()).filter(|&v| v != b) {
                let used = |from: usize| {
                    reach(&edges, from, Some(v)).iter().zip(&uses).any(|(seen, uses)| *seen && uses.contains(&v))
                };
                let alive = liveness.live_in(block(b)).contains(&Var(v as u32));
                prop_assert_eq!(alive, used(b), "%{} at ^{}", v, b);
            }
        }
    }
}

#[test]
fn a_hundred_thousand_blocks_are_no_trouble() {
    // A chain in which every block may also leave for one exit, inside a loop around all of it.
    let n = 100_000;
    let mut edges: Vec<Vec<usize>> = (0..n).map(|i| vec![i + 1, n]).collect();
    edges[0] = vec![1];
    edges.push(vec![1, n + 1]);
    edges.push(Vec::new());
    let func = graph(&edges, &[]);
    let cfg = Cfg::new(&func);
    let dominators = Dominators::new(&cfg);
    assert_eq!(dominators.idom(block(n)), Some(block(1)));
    assert!(dominators.dominates(block(1), block(n - 1)));
    assert_eq!(PostDominators::new(&cfg).ipdom(block(1)), Some(block(n)));
    let nest = LoopNest::new(&cfg, &dominators);
    assert!(nest.irreducible().is_empty());
    assert_eq!((nest.iter().count(), nest.depth(block(n / 2)), nest.depth(block(0))), (1, 1, 0));
    assert_eq!(Liveness::new(&func).live_in(block(n)), []);
}

#[test]
fn a_variable_is_used_for_the_last_time_where_nothing_after_needs_it() {
    let mut func = graph(&[vec![1], vec![]], &[vec![], vec![0, 0]]);
    let neg = ops::by_name("neg").unwrap();
    func.vars.push(VarDef { ty: Ty::f64(), name: None });
    let args = vec![Var(0).into()];
    let inst = Inst { result: Var(2), kind: InstKind::Op { op: neg, args }, span: func.span };
    func.blocks[1].insts.push(inst);
    func.blocks[1].terminator.as_mut().unwrap().kind = TerminatorKind::Ret(Var(1).into());
    let liveness = Liveness::new(&func);
    let last: Vec<Vec<Var>> =
        liveness.last_uses(&func, Block(1)).into_iter().map(|vars| vars.to_vec()).collect();
    assert_eq!(last, [vec![], vec![Var(0)], vec![Var(1)]]);
    assert!(liveness.last_uses(&func, Block(0)).iter().all(|vars| vars.is_empty()));
}
