import { useState, type ReactNode } from 'react';
import type { LogOutDialogProps } from '#renderer/features/outbox/LogOutDialog.tsx';
import { countWaitingStarts } from '#renderer/features/outbox/use-outbox.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { signOut } from './session.ts';

const LogOutDialog = lazyPart<LogOutDialogProps>(
  async () => (await import('#renderer/features/outbox/LogOutDialog.tsx')).LogOutDialog,
);

interface Asked {
  count: number;
  everywhere: boolean;
  isOpen: boolean;
}

/** Signs out, and asks first if starts wait on this computer. */
export function useLogOut(): { logOut: (options?: { everywhere?: boolean }) => void; question: ReactNode } {
  const [asked, setAsked] = useState<Asked | null>(null);
  const begin = async ({ everywhere = false }: { everywhere?: boolean } = {}): Promise<void> => {
    const count = await countWaitingStarts();
    if (count === 0) await signOut({ everywhere });
    else setAsked({ count, everywhere, isOpen: true });
  };
  const close = (): void => setAsked((last) => last && { ...last, isOpen: false });
  const question = asked && (
    <LogOutDialog
      count={asked.count}
      isOpen={asked.isOpen}
      onLogOut={() => {
        close();
        void signOut({ everywhere: asked.everywhere });
      }}
      onStay={close}
    />
  );
  return { logOut: (options) => void begin(options), question };
}
