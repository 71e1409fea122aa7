import { Button } from '@blueprintjs/core';
import { Error as ErrorIcon } from '@blueprintjs/icons';
import { useState } from 'react';
import { countIssues, type InputIssue } from '#shared/rules/input-rules.ts';
import { t } from '#renderer/language/translate.ts';
import { issueText } from '../validation/issue-text.ts';

interface GridIssuesProps {
  id: string;
  issues: readonly InputIssue[];
  onGo: (issue: InputIssue) => void;
}

const FIRST = 5;

/** Lists the issues of the cells; a click selects the cell. */
export function GridIssues({ id, issues, onGo }: GridIssuesProps) {
  const [isExpanded, setExpanded] = useState(false);
  const listed = issues.filter(({ more }) => more === undefined);
  const shown = isExpanded ? listed : listed.slice(0, FIRST);
  const total = countIssues(issues);
  if (issues.length === 0) return null;
  return (
    <div id={id} className="rs-grid-issues">
      <ul>
        {shown.map((issue, index) => (
          <li className="rs-field-error" key={index}>
            <ErrorIcon size={13} title={false} />
            <span>
              {issue.title !== undefined && <strong>{issue.title}: </strong>}
              {issue.row === undefined ? (
                issueText(issue)
              ) : (
                <button type="button" className="rs-text-button" onClick={() => onGo(issue)}>
                  {issueText(issue)}
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {listed.length > FIRST && (
        <Button
          variant="minimal"
          size="small"
          text={isExpanded ? t('Show fewer') : t('Show all {total}', { total })}
          onClick={() => setExpanded(!isExpanded)}
        />
      )}
      {total > shown.length && (isExpanded || listed.length <= FIRST) && (
        <div className="rs-field-error">{t('and {total} more', { total: total - shown.length })}</div>
      )}
    </div>
  );
}
