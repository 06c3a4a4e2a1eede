/** Requests that go on when the page is gone, whatever their size: a service worker sends them. */

/** What `fetch` is given, in a form that can be handed from the page to its worker. */
export interface OutlivingRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

export interface Outliving {
  /** Whether somebody is there who will send it. */
  readonly ready: boolean;
  /** Hands the request over before it returns. Nobody hears of the answer. */
  send(request: OutlivingRequest): void;
}

/** `container` is undefined where there are no service workers: on pages that were not served securely, for one. */
export function openOutliving(
  container: ServiceWorkerContainer | undefined,
  script: () => Promise<string>,
): Outliving {
  let registration: ServiceWorkerRegistration | null = null;
  if (container) {
    script()
      .then((url) => container.register(url))
      .then(
        (registered) => {
          registration = registered;
        },
        // Without a worker, what is too large for the page to take along waits on this device.
        () => undefined,
      );
  }
  return {
    get ready() {
      return registration?.active != null;
    },
    send: (request) => registration?.active?.postMessage(request),
  };
}
