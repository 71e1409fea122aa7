import { Button, InputGroup } from '@blueprintjs/core';
import { ArrowDown, ArrowUp } from '@blueprintjs/icons';
import { CHECKLIST_INPUT_NAME_MAX } from '#shared/rules/checklist-rules.ts';
import { typeText } from '#renderer/features/checklists/input-type.ts';
import { Card } from '#renderer/ui/Page.tsx';
import { inputShape } from './offered-sources.ts';
import type { WorkflowDraft } from './use-workflow-draft.ts';
import { moveInput, renameInput } from './workflow-draft.ts';

/** What is asked for when the workflow is started: by which names, and in which order. */
export function WorkflowInputs({ draft, isReadOnly }: { draft: WorkflowDraft; isReadOnly: boolean }) {
  const { graph, activities, change } = draft;
  return (
    <Card title="Inputs of the workflow">
      {graph.Inputs.length === 0 && (
        <p className="rs-muted">
          It asks for nothing. Map an input of a step to a new input, and it is asked for here.
        </p>
      )}
      <ol className="rs-workflow-asked">
        {graph.Inputs.map(({ Name }, index) => {
          const shape = inputShape(graph, Name, activities);
          return (
            <li key={index}>
              <InputGroup
                aria-label={`Name of input ${index + 1}`}
                value={Name}
                maxLength={CHECKLIST_INPUT_NAME_MAX}
                disabled={isReadOnly}
                onValueChange={(name) => change((before) => renameInput(before, index, name), `input ${index}`)}
              />
              <span className="rs-muted">{shape && typeText(shape)}</span>
              {!isReadOnly && (
                <span className="rs-nowrap">
                  <Button
                    variant="minimal"
                    icon={<ArrowUp />}
                    aria-label={`Move input ${Name} up`}
                    disabled={index === 0}
                    onClick={() => change((before) => moveInput(before, index, -1))}
                  />
                  <Button
                    variant="minimal"
                    icon={<ArrowDown />}
                    aria-label={`Move input ${Name} down`}
                    disabled={index === graph.Inputs.length - 1}
                    onClick={() => change((before) => moveInput(before, index, 1))}
                  />
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
