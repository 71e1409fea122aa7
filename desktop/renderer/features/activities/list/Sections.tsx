import { ChevronDown, ChevronRight } from '@blueprintjs/icons';
import { useId, type ReactNode } from 'react';
import { ChecklistTile } from '#renderer/features/checklists/ChecklistTile.tsx';
import { numberText } from '#renderer/language/numbers.ts';
import type { ChecklistSection, FunctionSection, GroupSection, SchemaSection } from './activity-sections.ts';
import { ActivityTile } from './ActivityTile.tsx';
import type { SectionState } from './expansion.ts';

interface Shared {
  state: SectionState;
  days: readonly number[];
}

/** Schemas, groups, checklists and functions with their tiles. A level with only one section is skipped. */
export function Sections({ sections, ...shared }: { sections: readonly SchemaSection[] } & Shared) {
  return sections.map((schema) =>
    sections.length > 1 ? (
      <Fold key={schema.key} section={schema} level={2} count={schema.count} state={shared.state}>
        {() => <Groups groups={schema.groups} level={3} {...shared} />}
      </Fold>
    ) : (
      <Groups key={schema.key} groups={schema.groups} level={2} {...shared} />
    ),
  );
}

function Groups({ groups, level, ...shared }: { groups: readonly GroupSection[]; level: number } & Shared) {
  return groups.map((group) =>
    groups.length > 1 ? (
      <Fold key={group.key} section={group} level={level} count={group.count} state={shared.state}>
        {() => <GroupParts group={group} level={level + 1} {...shared} />}
      </Fold>
    ) : (
      <GroupParts key={group.key} group={group} level={level} {...shared} />
    ),
  );
}

function GroupParts({ group, ...shared }: { group: GroupSection; level: number } & Shared) {
  return (
    <>
      {group.checklists && <Checklists section={group.checklists} {...shared} />}
      <Functions functions={group.functions} {...shared} />
    </>
  );
}

function Checklists({ section, level, state, days }: { section: ChecklistSection; level: number } & Shared) {
  return (
    <Fold section={section} level={level} count={section.checklists.length} state={state}>
      {() => (
        <ul className="rs-tiles">
          {section.checklists.map((checklist) => (
            <ChecklistTile key={checklist.Id} checklist={checklist} days={days} />
          ))}
        </ul>
      )}
    </Fold>
  );
}

function Functions({
  functions,
  level,
  state,
  days,
}: { functions: readonly FunctionSection[]; level: number } & Shared) {
  return functions.map((section) => (
    <Fold key={section.key} section={section} level={level} count={section.activities.length} state={state}>
      {() => (
        <ul className="rs-tiles">
          {section.activities.map((activity) => (
            <ActivityTile key={activity.Id} activity={activity} days={days} />
          ))}
        </ul>
      )}
    </Fold>
  ));
}

interface FoldProps {
  section: { key: string; title: string };
  /** Heading level. */
  level: number;
  count: number;
  state: SectionState;
  /** Called only while the section is open. */
  children: () => ReactNode;
}

function Fold({ section, level, count, state, children }: FoldProps) {
  const id = useId();
  const isOpen = state.isOpen(section.key);
  const Heading = `h${Math.min(level, 6)}` as 'h2';
  return (
    <section className={`rs-fold rs-fold-${level}`}>
      <Heading>
        <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => state.toggle(section.key)}>
          {isOpen ? <ChevronDown title={false} /> : <ChevronRight title={false} />}
          {section.title}
          <span className="rs-fold-count">{numberText(count)}</span>
        </button>
      </Heading>
      <div id={id} hidden={!isOpen} className="rs-fold-body">
        {isOpen && children()}
      </div>
    </section>
  );
}
