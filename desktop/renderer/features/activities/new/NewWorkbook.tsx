import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import type { DesignCardProps } from '../designer/DesignCard.tsx';
import { OpeningState } from '../designer/OpeningState.tsx';
import { UnfinishedDesigns } from '../designer/UnfinishedDesigns.tsx';
import type { DesignOpening } from '../designer/use-open-design.ts';
import { FileChooser } from '../upload/FileChooser.tsx';
import { DropZone } from './DropZone.tsx';
import { ExampleToMark } from './ExampleToMark.tsx';
import { MarkingHelp } from './MarkingHelp.tsx';
import './new-activity.css';

const DesignCard = lazyPart(
  async () => (await import('../designer/DesignCard.tsx')).DesignCard,
  <Card>
    <Skeleton kind="grid" />
  </Card>,
);

export interface NewWorkbookProps extends Omit<DesignCardProps, 'id' | 'file' | 'startsEditing'> {
  opening: DesignOpening;
  onChoose: (file: File | null) => void;
  /** Called with the name of a workbook that comes with the program. */
  onExample: (name: string) => void;
  /** Called with the id of an unfinished design. */
  onContinue: (designId: number) => void;
  isDisabled: boolean;
}

/** The workbook of a new activity: first choose a file or an unfinished design, then mark its cells. */
export function NewWorkbook({ opening, onChoose, onExample, onContinue, isDisabled, ...props }: NewWorkbookProps) {
  const { fields } = props;
  if (fields.designId !== null)
    return <DesignCard {...props} id={fields.designId} file={fields.file} startsEditing={false} />;
  return (
    <Card>
      <div className="rs-new-file">
        <DropZone onChoose={onChoose} isDisabled={isDisabled}>
          <FileChooser file={fields.file} isDisabled={isDisabled} onChoose={onChoose} />
          <ExampleToMark isDisabled={isDisabled || opening.isOpening} onOpen={onExample} />
        </DropZone>
        <MarkingHelp />
      </div>
      <OpeningState opening={opening} />
      {!opening.isOpening && <UnfinishedDesigns onContinue={onContinue} />}
    </Card>
  );
}
