package io.callboard.docs;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Order of the pages for readers: each section of the index is a group, the pages it links to are
 * the group's. A page belongs to the first group that names it.
 *
 * @param groups in the index's order
 */
record Navigation(List<Group> groups) {
  /**
   * Pages of one kind.
   *
   * @param title heading of the section
   * @param pages their paths in the site
   */
  record Group(String title, List<String> pages) {}

  /**
   * Reads the index.
   *
   * @param index the page that has the groups as its sections of level 2
   * @param target path in the site of the page that a link of the index leads to; empty if it leads
   *     to no page
   */
  static Navigation of(Page index, Function<String, String> target) {
    List<Group> groups = new ArrayList<>();
    Set<String> seen = new LinkedHashSet<>();
    for (Page.Section section : index.sections()) {
      List<String> pages =
          section.destinations().stream()
              .map(target)
              .filter(page -> !page.isEmpty())
              .filter(seen::add)
              .toList();
      if (section.level() == 2 && !pages.isEmpty()) {
        groups.add(new Group(section.title(), pages));
      }
    }
    return new Navigation(List.copyOf(groups));
  }
}
