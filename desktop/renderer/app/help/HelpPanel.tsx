import { Button, Overlay2 } from '@blueprintjs/core';
import { Cross } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { t } from '#renderer/language/translate.ts';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { HelpBlocks } from './HelpBlocks.tsx';
import type { HelpPage } from './help-page.ts';
import { HELP_PAGES, topicOf, type HelpTopic } from './help-topics.ts';
import './help.css';

interface HelpPanelProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Shows the documentation for the current page beside it; the page stays usable. */
export function HelpPanel({ isOpen, onClose }: HelpPanelProps) {
  const { pathname } = useLocation();
  return (
    <Overlay2
      isOpen={isOpen}
      onClose={onClose}
      hasBackdrop={false}
      enforceFocus={false}
      canOutsideClickClose={false}
      shouldReturnFocusOnClose={false}
      transitionDuration={0}
    >
      <aside className="rs-help" role="dialog" aria-label={t('Help')}>
        {/* Navigating to another page resets the help to its topic. */}
        <Help key={pathname} start={topicOf(pathname)} onClose={onClose} />
      </aside>
    </Overlay2>
  );
}

function Help({ start, onClose }: { start: HelpTopic; onClose: () => void }) {
  const [topic, setTopic] = useState(start);
  const query = useQuery({
    queryKey: ['help', topic.page],
    queryFn: async () => (await HELP_PAGES[topic.page]!()).default,
    staleTime: Infinity,
  });
  return (
    <>
      <div className="rs-help-head">
        <h2>{query.data?.title ?? t('Help')}</h2>
        <Button variant="minimal" icon={<Cross />} aria-label={t('Close the help')} autoFocus onClick={onClose} />
      </div>
      {query.data && <Section page={query.data} topic={topic} onTopic={setTopic} />}
      {!query.data && query.error && <FailureState error={query.error} onRetry={() => void query.refetch()} />}
      {!query.data && !query.error && <Skeleton kind="form" />}
    </>
  );
}

interface SectionProps {
  page: HelpPage;
  topic: HelpTopic;
  onTopic: (topic: HelpTopic) => void;
}

function Section({ page, topic, onTopic }: SectionProps) {
  const shown = page.sections.find(({ id }) => id === topic.section) ?? page.sections[0];
  if (!shown) return null;
  const others = page.sections.filter((section) => section !== shown);
  return (
    // The scrollable area must be focusable by keyboard; the key resets its scroll position for each section.
    <div key={shown.id} className="rs-help-text" tabIndex={0} role="region" aria-label={shown.title}>
      {shown.title !== page.title && <h3>{shown.title}</h3>}
      <HelpBlocks blocks={shown.blocks} page={topic.page} onTopic={onTopic} />
      {others.length > 0 && (
        <nav aria-label={t('Related topics')}>
          <h3>{t('Related topics')}</h3>
          <ul className="rs-plain-list">
            {others.map(({ id, title }) => (
              <li key={id}>
                <button
                  type="button"
                  className="rs-text-button"
                  onClick={() => onTopic({ page: topic.page, section: id })}
                >
                  {title}
                </button>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}
