/** What a model is made of, in numbers: the description from which its symbolic graph is built. */
@NullMarked
package org.stage.api.model;

import org.jspecify.annotations.NullMarked;
