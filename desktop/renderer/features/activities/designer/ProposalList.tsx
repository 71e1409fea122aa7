import { Button } from '@blueprintjs/core';
import { Plus } from '@blueprintjs/icons';
import { useState } from 'react';
import type { DesignSheet, ProposedMark } from '#shared/contract/designs.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { keyOfMark } from './marks.ts';
import { PlaceText } from './PlaceText.tsx';
import { proposalReason } from './proposal-reason.ts';

interface ProposalListProps {
  proposals: readonly ProposedMark[];
  sheets: readonly DesignSheet[];
  onTake: (key: string) => void;
  onShow: (proposal: ProposedMark) => void;
}

/** Number of proposals shown at first, best first. Few people ask for more. */
const SHOWN = 10;

/** Lists the likely inputs and outputs of the workbook that are not marked yet. */
export function ProposalList({ proposals, sheets, onTake, onShow }: ProposalListProps) {
  const [isExpanded, setExpanded] = useState(false);
  if (proposals.length === 0) return null;
  const sorted = proposals.toSorted((a, b) => b.Score - a.Score);
  const isRightToLeft = ({ Sheet }: ProposedMark): boolean =>
    sheets.some(({ Name, IsRightToLeft }) => Name === Sheet && IsRightToLeft);
  const shown = isExpanded ? sorted : sorted.slice(0, SHOWN);
  return (
    <section className="rs-mark-section" aria-label={t('Proposals')}>
      <h3>
        {t('Proposals')} <span className="rs-muted">{numberText(proposals.length)}</span>
      </h3>
      <ul className="rs-plain-list rs-proposals">
        {shown.map((proposal) => (
          <li key={keyOfMark(proposal)}>
            <Button
              size="small"
              icon={<Plus />}
              title={t('Add')}
              aria-label={
                proposal.Role === 'Input'
                  ? t('Add input {name}', { name: proposal.Name })
                  : t('Add output {name}', { name: proposal.Name })
              }
              onClick={() => onTake(keyOfMark(proposal))}
            />
            <button type="button" className="rs-proposal" onClick={() => onShow(proposal)}>
              <span dir="auto">{proposal.Name}</span>{' '}
              <span className="rs-muted">
                {proposal.Role === 'Input' ? t('Input') : t('Output')},{' '}
                <PlaceText sheet={proposal.Sheet} range={proposal.Range} />
              </span>
              <span className="rs-muted rs-proposal-reason">{proposalReason(proposal, isRightToLeft(proposal))}</span>
            </button>
          </li>
        ))}
      </ul>
      {sorted.length > shown.length && (
        <Button
          variant="minimal"
          size="small"
          text={t('Show all {count}', { count: numberText(sorted.length) })}
          onClick={() => setExpanded(true)}
        />
      )}
    </section>
  );
}
