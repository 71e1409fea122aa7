import { useState } from 'react';
import type { DesignStatus } from '#renderer/features/activities/designer/design-status.ts';
import { useOpenDesign, type DesignOpening } from '#renderer/features/activities/designer/use-open-design.ts';
import type { EditorFields } from './editor-fields.ts';
import { beginDesign, NO_WORKBOOK, workbookToContinue, type ChosenWorkbook } from './workbook-choice.ts';

export interface WorkbookChoice {
  opening: DesignOpening;
  /** The workbook that was left last and can be continued; null if there is none. */
  left: ChosenWorkbook | null;
  /** Chooses a file; null chooses the version in use of an existing activity, and no file for a new one. */
  chooseFile: (file: File | null) => void;
  openExample: (name: string) => void;
  /** Continues an unfinished design. */
  resume: (designId: number) => void;
  /** Leaves the open workbook. Its design stays on the server. */
  leave: () => void;
  /** Closes a design that was deleted. */
  forget: () => void;
  /** Asks whether to leave a workbook whose last changes could not be saved; null if nothing is asked. */
  question: { confirm: () => void; cancel: () => void } | null;
}

interface ChoiceOptions {
  /** 0 for a new activity. */
  id: number;
  fields: EditorFields;
  write: (change: Partial<EditorFields>) => void;
  /** Status of the open design. */
  design: DesignStatus | null;
}

/** Chooses the workbook of an activity. Leaving a workbook with marks can be undone. */
export function useWorkbookChoice({ id, fields, write, design }: ChoiceOptions): WorkbookChoice {
  const opening = useOpenDesign();
  const [left, setLeft] = useState<ChosenWorkbook | null>(null);
  const [asked, setAsked] = useState<(() => void) | null>(null);

  const replaceBy = (next: () => void): void => {
    const replace = (): void => {
      setAsked(null);
      const leaving = workbookToContinue(fields, design);
      if (leaving) setLeft(leaving);
      next();
    };
    if (design?.hasSaveFailed) setAsked(() => replace);
    else replace();
  };
  const begin = (source: Parameters<typeof beginDesign>[0]): void =>
    replaceBy(() => void beginDesign(source, { open: (from) => opening.open(id, fields.Schema, from), write }));

  return {
    opening,
    left: left?.designId === fields.designId ? null : left,
    chooseFile: (file) => {
      if (file || id !== 0) begin(file);
      else write(NO_WORKBOOK);
    },
    openExample: (example) => begin({ example }),
    resume: (designId) => replaceBy(() => write(left?.designId === designId ? left : { ...NO_WORKBOOK, designId })),
    leave: () => replaceBy(() => write(NO_WORKBOOK)),
    forget: () => {
      setLeft((before) => (before?.designId === fields.designId ? null : before));
      write(NO_WORKBOOK);
    },
    question: asked && { confirm: asked, cancel: () => setAsked(null) },
  };
}
