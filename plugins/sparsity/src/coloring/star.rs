//! Greedy star coloring.
//!
//! After algorithm 4.1 of Gebremedhin, Tarafdar, Manne, Pothen, *New acyclic and star coloring algorithms
//! with application to computing Hessians*, SIAM J. Sci. Comput. 29, 2007. The paper keeps a set of stars;
//! here they are stored with the distinct colors around each vertex.
//!
//! - STAR1 all neighbors of a neutral vertex have different colors.
//! - STAR2 for a vertex and the color of a neighbor, the two-colored stars have the same form: the vertex is
//!   the hub, or the neighbor is, or there is a single edge.

use super::color_lists::{ColorLists, Forbidden};
use super::graph::Graph;

/// The star of the edges from a vertex to its neighbors of one color.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Star {
    /// One edge, to a neighbor without another neighbor of the vertex's color.
    Edge(u32),
    /// Several edges: the vertex is a hub.
    Hub,
    /// One edge, to a neighbor that is a hub.
    Spoke,
}

/// Colors the listed vertices in order; the others have no color, and each of them is neutral.
pub(super) fn star_coloring(graph: &Graph, order: &[u32], is_neutral: &[bool]) -> Vec<u32> {
    let mut colors = vec![0; graph.len()];
    let mut lists = ColorLists::new(graph, Star::Hub);
    let mut forbidden = Forbidden::new(graph.greatest_color());
    let mut place_of = vec![0; graph.greatest_color() + 1];
    for &vertex in order {
        for place in lists.places(graph, vertex) {
            let color = lists.color(place);
            forbidden.forbid(vertex, color);
            place_of[color as usize] = place;
        }
        let (first, step) = graph.palette(vertex);
        let mut from = first;
        for &near in graph.neighbors(vertex) {
            let is_neutral = is_neutral[near as usize];
            let color = colors[near as usize];
            if color == 0 && !is_neutral {
                continue;
            }
            // Beyond a neutral neighbor, or one whose color two neighbors share, no color may be repeated.
            let all = is_neutral || *lists.at(place_of[color as usize]) == Star::Hub;
            let skipped = if all { lists.prefix(graph, near, (first, step)) } else { 0 };
            from = from.max(first + step * skipped as u32);
            for &(color, star) in &lists.of(graph, near)[skipped..] {
                if all || star == Star::Spoke {
                    forbidden.forbid(vertex, color);
                }
            }
        }
        colors[vertex as usize] = forbidden.least_allowed(vertex, (from, step));
        enter(graph, &colors, &mut lists, vertex, &place_of);
    }
    colors
}

/// Inserts the color of a vertex into the lists of its neighbors, and joins the new edges to stars.
fn enter(graph: &Graph, colors: &[u32], lists: &mut ColorLists<Star>, vertex: u32, place_of: &[usize]) {
    let color = colors[vertex as usize];
    for (near, edge) in graph.incident(vertex) {
        let near_color = colors[near as usize];
        let place = lists.find(graph, near, color);
        if near_color == 0 {
            match place {
                None => lists.insert(graph, near, color, Star::Edge(edge)),
                Some(place) => *lists.at(place) = Star::Hub,
            }
            continue;
        }
        let place_of_star = place_of[near_color as usize];
        let Some(place) = place else {
            let is_hub = *lists.at(place_of_star) == Star::Hub;
            lists.insert(graph, near, color, if is_hub { Star::Spoke } else { Star::Edge(edge) });
            continue;
        };
        if let Star::Edge(first) = *lists.at(place) {
            let other = graph.edges()[first as usize].other(near);
            if let Some(place_of_other) = lists.find(graph, other, near_color) {
                *lists.at(place_of_other) = Star::Spoke;
            }
        }
        *lists.at(place) = Star::Hub;
        *lists.at(place_of_star) = Star::Spoke;
    }
}
