import { Menu, MenuItem } from '@blueprintjs/core';
import { Edit, Play } from '@blueprintjs/icons';
import { Omnibar, type ItemListRendererProps, type ItemRendererProps } from '@blueprintjs/select';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type JSX } from 'react';
import { useNavigate } from 'react-router-dom';
import { listActivities } from '#shared/contract/activities.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { runPath } from '#renderer/features/checklists/checklist-menu.tsx';
import { rankByWords } from './palette-match.ts';
import { PageIcon } from './page-icons.tsx';
import { usePages } from './use-pages.ts';
import '@blueprintjs/select/lib/css/blueprint-select.css';

interface Destination {
  text: string;
  /** What kind of place it is, at the right. */
  label: string;
  path: string;
  icon: JSX.Element;
}

const SHOWN = 50;

export function CommandPalette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const items = useDestinations(isOpen);
  return (
    <Omnibar<Destination>
      className="rs-palette"
      isOpen={isOpen}
      onClose={onClose}
      items={items}
      itemListPredicate={(query, list) => rankByWords(query, list, (item) => item.text).slice(0, SHOWN)}
      itemRenderer={drawDestination}
      itemListRenderer={drawList}
      resetOnSelect
      inputProps={{ placeholder: 'Go to an activity or page', 'aria-label': 'Go to an activity or page' }}
      overlayProps={{ 'aria-label': 'Go to' } as object}
      onItemSelect={(item) => {
        onClose();
        void navigate(item.path);
      }}
    />
  );
}

function drawList({ filteredItems, itemsParentRef, renderItem }: ItemListRendererProps<Destination>): JSX.Element {
  return (
    <Menu role="listbox" aria-label="Places" ulRef={itemsParentRef}>
      {filteredItems.length === 0 && <MenuItem disabled text="Nothing found" roleStructure="listoption" />}
      {filteredItems.map(renderItem)}
    </Menu>
  );
}

function drawDestination(item: Destination, props: ItemRendererProps): JSX.Element | null {
  const { handleClick, handleFocus, modifiers, ref, index } = props;
  return (
    <MenuItem
      key={`${item.path} ${index}`}
      ref={ref}
      text={item.text}
      label={item.label}
      icon={item.icon}
      active={modifiers.active}
      onClick={handleClick}
      onFocus={handleFocus}
      roleStructure="listoption"
    />
  );
}

function useDestinations(isOpen: boolean): Destination[] {
  const pages = usePages();
  const { data } = useQuery({ ...queryOf(listActivities), enabled: isOpen, staleTime: 60_000 });
  return useMemo(() => {
    const places = pages.map((page) => ({
      text: page.title,
      label: 'Page',
      path: page.path,
      icon: <PageIcon icon={page.icon} />,
    }));
    const activities = data?.Activities ?? [];
    const runs = activities
      .filter((activity) => activity.CanRun)
      .map(({ Id, Name }) => ({ text: Name, label: 'Run', path: `/activities/run/${Id}/`, icon: <Play /> }));
    const edits = activities
      .filter((activity) => activity.CanEdit)
      .map(({ Id, Name }) => ({
        text: `Edit ${Name}`,
        label: 'Edit',
        path: `/activities/edit/${Id}/`,
        icon: <Edit />,
      }));
    const checklists = data?.Checklists ?? [];
    const checklistRuns = checklists
      .filter(({ CanRun }) => CanRun)
      .map(({ Id, Name, IsWorkflow }) => ({
        text: Name,
        label: 'Run',
        path: runPath(Id, IsWorkflow),
        icon: <Play />,
      }));
    const checklistEdits = checklists
      .filter(({ CanEdit }) => CanEdit)
      .map(({ Id, Name }) => ({
        text: `Edit ${Name}`,
        label: 'Edit',
        path: `/checklists/edit/${Id}/`,
        icon: <Edit />,
      }));
    return [...places, ...checklistRuns, ...runs, ...checklistEdits, ...edits];
  }, [pages, data]);
}
