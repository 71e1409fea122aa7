import { useState } from 'react';
import { pageSettings } from '#renderer/api/page-settings.ts';
import { t } from '#renderer/language/translate.ts';
import { Button } from './parts.tsx';
import { PublishTab } from './PublishTab.tsx';
import { storeWatchedRun } from './running.ts';
import { RunTab } from './RunTab.tsx';
import { signOut, usePane } from './session.ts';
import { SignInPanel } from './SignInPanel.tsx';

const TABS = ['run', 'publish'] as const;
type Tab = (typeof TABS)[number];

/** The task pane for use in Excel. */
export function Pane() {
  const userName = usePane((state) => state.session?.userName ?? null);
  return (
    <main className="rs-pane">
      <header className="rs-pane-head">
        <h1>{pageSettings.title}</h1>
        {userName !== null && (
          <>
            <span className="rs-muted rs-pane-user">{userName}</span>
            <Button
              variant="link"
              onClick={() => {
                storeWatchedRun(null);
                void signOut();
              }}
            >
              {t('Sign out')}
            </Button>
          </>
        )}
      </header>
      {/* Resets all state when the user changes. */}
      {userName === null ? <SignInPanel /> : <Tabs key={userName} />}
    </main>
  );
}

function Tabs() {
  const [tab, setTab] = useState<Tab>('run');
  const texts: Record<Tab, string> = { run: t('Run'), publish: t('Publish') };
  const move = (by: number): void => {
    const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length]!;
    setTab(next);
    document.getElementById(`rs-tab-${next}`)?.focus();
  };
  return (
    <>
      <div className="rs-pane-tabs" role="tablist" aria-label={t('What to do')}>
        {TABS.map((one) => (
          <button
            key={one}
            id={`rs-tab-${one}`}
            type="button"
            role="tab"
            aria-selected={tab === one}
            aria-controls={`rs-panel-${one}`}
            tabIndex={tab === one ? 0 : -1}
            onClick={() => setTab(one)}
            onKeyDown={({ key }) => {
              if (key === 'ArrowRight') move(1);
              if (key === 'ArrowLeft') move(-1);
            }}
          >
            {texts[one]}
          </button>
        ))}
      </div>
      {/* Both tabs stay mounted, so that no input is lost when switching. */}
      {TABS.map((one) => (
        <div key={one} id={`rs-panel-${one}`} role="tabpanel" aria-labelledby={`rs-tab-${one}`} hidden={tab !== one}>
          {one === 'run' ? <RunTab /> : <PublishTab />}
        </div>
      ))}
    </>
  );
}
