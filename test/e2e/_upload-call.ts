/** A call that takes one file as a form. */
export const UPLOAD = {
  '/rest/user/upload': {
    post: {
      operationId: 'user-upload',
      tags: ['user'],
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] },
          },
        },
      },
      responses: {
        201: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  results: {
                    type: 'object',
                    required: ['url', 'name', 'type', 'size'],
                    properties: {
                      url: { type: 'string' },
                      name: { type: 'string' },
                      type: { type: 'string' },
                      size: { type: 'integer' },
                    },
                  },
                },
              },
            },
          },
        },
      },
      'x-treadle-access': 'user',
    },
  },
};
