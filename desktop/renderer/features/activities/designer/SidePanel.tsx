import type { RegionId } from '#shared/contract/auth.ts';
import type { Mark, MarkRole } from '#shared/contract/designs.ts';
import { t } from '#renderer/language/translate.ts';
import { showWarning } from '#renderer/ui/toaster.tsx';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import { blockOfRange, rangeOfBlock } from './grid/blocks.ts';
import { MarkDetails } from './MarkDetails.tsx';
import { MarkList } from './MarkList.tsx';
import {
  blockOf,
  changeMark,
  concerns,
  inOrder,
  inRole,
  isRange,
  keyOfMark,
  markMeeting,
  markWithKey,
  moveToRange,
  openProposals,
  reordered,
  withoutMarks,
} from './marks.ts';
import { PanelTabs } from './PanelTabs.tsx';
import { ProblemList } from './ProblemList.tsx';
import { ProposalList } from './ProposalList.tsx';
import { visibleRights } from './right-issue.ts';
import type { Designer } from './use-designer.ts';
import type { DesignerView } from './use-designer-view.ts';

const TryPanel = lazyPart(async () => (await import('./TryPanel.tsx')).TryPanel, <Skeleton kind="form" />);

export type PanelPart = 'marks' | 'form' | 'problems';

interface SidePanelProps {
  designer: Designer;
  view: DesignerView;
  tab: PanelPart;
  onTab: (tab: PanelPart) => void;
  name: string;
  description: string;
  region: RegionId | '';
}

/** Panel beside the workbook with the marks, the resulting form, and the problems. */
export function SidePanel({ designer, view, tab, onTab, ...form }: SidePanelProps) {
  const problems = designer.found?.Faults ?? [];
  return (
    <div className="rs-designer-panel">
      <PanelTabs
        label={t('What is marked')}
        tabs={[
          { id: 'marks', title: t('Inputs and outputs') },
          { id: 'form', title: t('Form') },
          {
            id: 'problems',
            title: t('Problems'),
            ...(problems.length > 0 ? { note: <span className="rs-problem-count">{problems.length}</span> } : {}),
          },
        ]}
        chosen={tab}
        onChoose={onTab}
      >
        {tab === 'marks' && <MarksPanel designer={designer} view={view} />}
        {tab === 'form' && <TryPanel designer={designer} {...form} />}
        {tab === 'problems' && (
          <ProblemList
            problems={problems}
            onShow={({ Sheet, Cell }) => isRange(Cell) && view.goTo(Sheet, blockOfRange(Cell), true)}
          />
        )}
      </PanelTabs>
    </div>
  );
}

function MarksPanel({ designer, view }: Pick<SidePanelProps, 'designer' | 'view'>) {
  const { design, marks, change, found } = designer;
  const chosen = view.at?.kind === 'mark' ? view.at.key : null;
  const problems = found?.Faults ?? [];
  const show = (mark: { Sheet: string; Range: string }, takesFocus = false): void =>
    view.goTo(mark.Sheet, blockOf(mark), takesFocus);
  const list = (role: MarkRole) => {
    const ordered = inOrder(marks, role, design.Sheets);
    const chosenMark = markWithKey(ordered, chosen);
    return (
      <MarkList
        role={role}
        marks={ordered}
        chosen={chosen}
        problemsOf={(mark) => problems.filter((problem) => concerns(problem, mark)).length}
        onChoose={(mark) => show(mark)}
        onMove={(from, to) => change(reordered(marks, ordered, from, to))}
        details={chosenMark && <ChosenMark key={chosen} mark={chosenMark} designer={designer} view={view} />}
      />
    );
  };
  return (
    <>
      {list('Input')}
      {list('Output')}
      <ProposalList
        proposals={openProposals(design.Proposals, marks)}
        sheets={design.Sheets}
        onTake={view.takeProposal}
        onShow={(proposal) => show(proposal)}
      />
    </>
  );
}

function ChosenMark({
  mark,
  designer: { design, marks, change, found },
  view,
}: { mark: Mark } & Pick<SidePanelProps, 'designer' | 'view'>) {
  const key = keyOfMark(mark);
  const known = (mark.Role === 'Input' ? found?.Inputs : found?.Outputs)?.find(({ Name }) => Name === mark.Name);
  const sheet = design.Sheets[view.sheet]!.Name;
  const selected = { Sheet: sheet, Range: rangeOfBlock(view.block) };
  const isElsewhere =
    sheet === mark.Sheet &&
    selected.Range !== mark.Range &&
    markMeeting(
      marks.filter((one) => one !== mark),
      selected,
    ) === null;
  return (
    <MarkDetails
      mark={mark}
      info={known?.Info}
      headers={known?.Headers}
      rights={visibleRights(design)}
      otherRange={isElsewhere ? selected.Range : null}
      onChange={(next, burst) => change(changeMark(marks, key, next), burst && `${key} ${burst}`)}
      onRole={(role) => change(changeMark(marks, key, inRole(mark, role)))}
      onMove={() => {
        const next = moveToRange(marks, key, selected);
        if (typeof next === 'string') showWarning(next);
        else change(next);
      }}
      onRemove={() => change(withoutMarks(marks, new Set([key])))}
    />
  );
}
